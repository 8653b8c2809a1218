// Registers, after Gibbons and Korach ("Testing shared memories", 1997): the operations of one value stand together in
// every order, and so do, with compare-and-swap, those of the values that follow each other. Such a block A has to come
// before B if one of A returned before one of B was called, that is, if A's first return is before B's last call. There
// is an order unless two blocks have to come before each other: a longer cycle would contain such a pair.

#include <string.h>

#include "history/models.h"
#include "history/timing.h"
#include "history/unique.h"

enum { NONE = UINT32_MAX };

enum role { IDLE, READS, WRITES, SWAPS, UNFIT };

struct cluster {
    uint32_t writer;      // operation; NONE: nobody, or the beginning
    uint32_t swapper;     // operation that takes it to the next value, or NONE
    uint32_t first, last; // reads, by `after`
    bool needed, visited;
};

struct clusters {
    struct space *space;
    const struct spec *spec;
    const struct operation *ops;
    uint32_t count;
    const struct lin_options *options;
    struct timing time;
    struct pool values; // a cluster for each; 0 is the first value
    struct cluster *of;
    uint32_t *from, *to; // of each operation: clusters of the value it needs and the value it leaves
    uint32_t *after;
    enum role *role;
};

static bool is_map(const struct clusters *c)
{
    return c->spec->step == spec_map.step;
}

static enum role role_of(const struct clusters *c, const struct operation *op)
{
    bool map = is_map(c);
    if (lin_may_fail(c->spec, op, c->options->may_fail))
        return IDLE;
    if (op->call == (map ? MAP_GET : REGISTER_READ))
        return op->known ? READS : IDLE;
    if (op->call == (map ? MAP_PUT : REGISTER_WRITE))
        return WRITES;
    if (op->call != (map ? MAP_CAS : REGISTER_CAS) || (map && op->argument[1] == VALUE_NIL))
        return UNFIT; // a map without the key refuses a swap from nil
    if (operation_pending(op))
        return SWAPS;
    return op->known && op->result == VALUE_TRUE ? SWAPS : UNFIT;
}

static uint32_t cluster_of(struct clusters *c, int64_t value)
{
    bool added;
    uint32_t number = pool_add(&c->values, c->space, &value, sizeof value, &added);
    if (added && number != POOL_FULL)
        c->of[number] = (struct cluster){.writer = NONE, .swapper = NONE, .first = NONE};
    return number;
}

// False: the history is not of this kind.
static bool sort_into_clusters(struct clusters *c)
{
    bool map = is_map(c);
    if (cluster_of(c, map ? VALUE_NIL : c->spec->initial) == POOL_FULL)
        return false;
    for (uint32_t e = 0; e < c->time.events; e++) {
        uint32_t i = c->time.event[e] / 2;
        const struct operation *op = &c->ops[i];
        if (c->time.event[e] & 1)
            continue;
        enum role role = c->role[i] = role_of(c, op);
        if (role == UNFIT || (map && op->argument[0] != c->ops[0].argument[0]))
            return false;
        c->from[i] = role == READS ? cluster_of(c, op->result) : role == SWAPS ? cluster_of(c, op->argument[map]) : 0;
        c->to[i] = role == SWAPS    ? cluster_of(c, op->argument[map + 1])
                   : role == WRITES ? cluster_of(c, op->argument[map])
                                    : NONE;
        if (c->from[i] == POOL_FULL || (role != READS && role != IDLE && c->to[i] == POOL_FULL))
            return false;
        if (role != WRITES && role != SWAPS)
            continue;
        if (c->to[i] == 0 || c->of[c->to[i]].writer != NONE)
            return false;
        c->of[c->to[i]].writer = i;
    }
    return true;
}

// A value that was seen was written, and if by a swap, the one before it was there too. False: nobody wrote it.
static bool need(struct clusters *c, uint32_t value)
{
    while (!c->of[value].needed) {
        c->of[value].needed = true;
        if (value == 0)
            return true;
        uint32_t writer = c->of[value].writer;
        if (writer == NONE)
            return false;
        if (c->role[writer] != SWAPS)
            return true;
        value = c->from[writer];
    }
    return true;
}

static bool has_effect(const struct clusters *c, uint32_t op)
{
    return !operation_pending(&c->ops[op]) || c->of[c->to[op]].needed;
}

// Which operations belong where. False: something was seen that cannot be.
static bool fill_clusters(struct clusters *c)
{
    for (uint32_t i = 0; i < c->count; i++)
        if (!operation_pending(&c->ops[i]) && (c->role[i] == READS || c->role[i] == SWAPS) && !need(c, c->from[i]))
            return false;
    for (uint32_t e = 0; e < c->time.events; e++) {
        uint32_t i = c->time.event[e] / 2;
        if (c->time.event[e] & 1)
            continue;
        struct cluster *cluster = &c->of[c->from[i]];
        c->after[i] = NONE;
        if (c->role[i] == READS) {
            *(cluster->first == NONE ? &cluster->first : &c->after[cluster->last]) = i;
            cluster->last = i;
        } else if (c->role[i] == SWAPS && has_effect(c, i)) {
            if (cluster->swapper != NONE)
                return false;
            cluster->swapper = i;
        }
    }
    return true;
}

struct value_block {
    int64_t first_return, last_call;
};

// Adds an operation that comes after all whose calls are up to `calls`. False if it returned before one of them.
static bool extend(const struct clusters *c, struct value_block *block, uint32_t op, int64_t calls)
{
    block->first_return = earlier(block->first_return, c->time.back[op]);
    block->last_call = later(block->last_call, c->time.call[op]);
    return c->time.back[op] >= calls;
}

// The values from this one on, each swapped for the next.
static bool build_block(struct clusters *c, uint32_t value, struct value_block *block)
{
    uint32_t writer = c->of[value].writer;
    *block = (struct value_block){TIMING_NEVER, -1};
    if (writer == NONE)
        block->first_return = -1;
    else
        extend(c, block, writer, -1);
    for (;;) {
        struct cluster *cluster = &c->of[value];
        int64_t calls = block->last_call;
        cluster->visited = true;
        for (uint32_t op = cluster->first; op != NONE; op = c->after[op])
            if (!extend(c, block, op, calls))
                return false;
        if (cluster->swapper == NONE)
            return true;
        if (!extend(c, block, cluster->swapper, block->last_call))
            return false;
        value = c->to[cluster->swapper];
    }
}

// Builds the blocks, each by where it begins: min(first return, last call). -2: there is none.
static enum verdict build_blocks(struct clusters *c, struct value_block *at)
{
    for (uint32_t e = 0; e <= c->time.events; e++)
        at[e].first_return = -2;
    for (uint32_t v = 0; v < c->values.count; v++) {
        struct value_block block;
        uint32_t writer = c->of[v].writer;
        if (v && (writer == NONE || !has_effect(c, writer) || c->role[writer] == SWAPS))
            continue;
        if (!build_block(c, v, &block))
            return VERDICT_NO;
        at[earlier(block.first_return, block.last_call) + 1] = block;
    }
    for (uint32_t v = 1; v < c->values.count; v++) // swaps in a circle: none was the first
        if (c->of[v].writer != NONE && has_effect(c, c->of[v].writer) && !c->of[v].visited)
            return VERDICT_NO;
    return VERDICT_YES;
}

static enum verdict check_register(struct clusters *c)
{
    struct value_block *at = space_take(c->space, c->time.events + 1, sizeof *at);
    if (!at || !sort_into_clusters(c))
        return VERDICT_UNKNOWN;
    if (!fill_clusters(c) || build_blocks(c, at) == VERDICT_NO)
        return VERDICT_NO;
    int64_t forward_end = -1; // of the last block so far that has a return before a call
    for (uint32_t e = 0; e <= c->time.events; e++) {
        if (at[e].first_return == -2)
            continue;
        if (at[e].first_return < forward_end)
            return VERDICT_NO;
        if (at[e].first_return < at[e].last_call)
            forward_end = at[e].last_call;
    }
    return VERDICT_YES;
}

enum verdict unique_register_check(struct space *space, const struct spec *spec, const struct operation *ops,
                                   uint32_t count, const struct lin_options *options)
{
    struct clusters c = {.space = space, .spec = spec, .ops = ops, .count = count, .options = options};
    if (!time_operations(space, ops, count, &c.time) || !pool_init(&c.values, space, NULL))
        return VERDICT_UNKNOWN;
    size_t n = count + 1;
    c.of = space_take(space, 2 * n, sizeof *c.of);
    c.from = space_take(space, n, sizeof *c.from);
    c.to = space_take(space, n, sizeof *c.to);
    c.after = space_take(space, n, sizeof *c.after);
    c.role = space_take(space, n, sizeof *c.role);
    if (!c.of || !c.from || !c.to || !c.after || !c.role)
        return VERDICT_UNKNOWN;
    return check_register(&c);
}
