#include "lin/unique.h"

#include <string.h>

#include "lin/models.h"

enum { NONE = UINT32_MAX };

#define NEVER INT64_MAX

// Calls and returns as positions in time; `event` as of history_order.
struct timing {
    uint32_t *event, events;
    int64_t *call, *back;
};

static bool time_operations(struct space *space, const struct op *ops, uint32_t count, struct timing *t)
{
    t->event = space_take(space, 2 * (size_t)count + 1, sizeof *t->event);
    uint32_t *scratch = space_take(space, 2 * (size_t)count + 1, sizeof *scratch);
    t->call = space_take(space, count + 1, sizeof *t->call);
    t->back = space_take(space, count + 1, sizeof *t->back);
    if (!t->event || !scratch || !t->call || !t->back)
        return false;
    t->events = history_order(ops, count, t->event, scratch);
    for (uint32_t i = 0; i < count; i++)
        t->back[i] = NEVER;
    for (uint32_t e = 0; e < t->events; e++)
        (t->event[e] & 1 ? t->back : t->call)[t->event[e] / 2] = e;
    return true;
}

static int64_t later(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t earlier(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

// Registers, after Gibbons and Korach ("Testing shared memories", 1997): the operations of one value stand together in
// every order, and so do, with compare-and-swap, those of the values that follow each other. Such a block A has to come
// before B if one of A returned before one of B was called, that is, if A's first return is before B's last call. There
// is an order unless two blocks have to come before each other: a longer cycle would contain such a pair.

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
    const struct op *ops;
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

static enum role role_of(const struct clusters *c, const struct op *op)
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
    if (op_pending(op))
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
        const struct op *op = &c->ops[i];
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
    return !op_pending(&c->ops[op]) || c->of[c->to[op]].needed;
}

// Which operations belong where. False: something was seen that cannot be.
static bool fill_clusters(struct clusters *c)
{
    for (uint32_t i = 0; i < c->count; i++)
        if (!op_pending(&c->ops[i]) && (c->role[i] == READS || c->role[i] == SWAPS) && !need(c, c->from[i]))
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

struct block {
    int64_t first_return, last_call;
};

// Adds an operation that comes after all whose calls are up to `calls`. False if it returned before one of them.
static bool extend(const struct clusters *c, struct block *block, uint32_t op, int64_t calls)
{
    block->first_return = earlier(block->first_return, c->time.back[op]);
    block->last_call = later(block->last_call, c->time.call[op]);
    return c->time.back[op] >= calls;
}

// The values from this one on, each swapped for the next.
static bool build_block(struct clusters *c, uint32_t value, struct block *block)
{
    uint32_t writer = c->of[value].writer;
    *block = (struct block){NEVER, -1};
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
static enum verdict build_blocks(struct clusters *c, struct block *at)
{
    for (uint32_t e = 0; e <= c->time.events; e++)
        at[e].first_return = -2;
    for (uint32_t v = 0; v < c->values.count; v++) {
        struct block block;
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
    struct block *at = space_take(c->space, c->time.events + 1, sizeof *at);
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

static enum verdict register_check(struct space *space, const struct spec *spec, const struct op *ops, uint32_t count,
                                   const struct lin_options *options)
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

// Queues, after Henzinger, Sezgin and Vafeiadis ("Aspect-oriented linearizability proofs", 2013). A value comes out once,
// and not before it went in; of two values that went in one after the other the second does not come out and the first
// not, or only later. A dequeue that found nothing needs a cut of the history: what came before it, all that precedes
// something in it, and with one operation on a value the other.

struct item {
    uint32_t in, out; // operations, or NONE
};

struct queue {
    const struct op *ops;
    uint32_t count;
    struct timing time;
    struct pool values;
    struct item *items;
    uint32_t *item; // of each operation; NONE if it found nothing or is left out
    bool *empty;    // found nothing
    bool takers;    // some dequeue never returned
    bool left_over; // some value stays inside
    bool no_room;
};

// YES: sorted; NO: a value came out twice; UNKNOWN: not of this kind.
static enum verdict sort_items(struct queue *q, struct space *space, const struct spec *spec,
                               const struct lin_options *options)
{
    enum verdict verdict = VERDICT_YES;
    bool added;
    for (uint32_t i = 0; i < q->count; i++) {
        const struct op *op = &q->ops[i];
        bool in = op->call == QUEUE_PUT;
        q->item[i] = NONE;
        q->empty[i] = false;
        if (!in && op_pending(op)) {
            q->takers = true;
            continue;
        }
        if (!in && !op->known)
            return VERDICT_UNKNOWN;
        if (lin_may_fail(spec, op, options->may_fail))
            continue;
        int64_t value = in ? op->argument[0] : op->result;
        if (value == VALUE_NIL) {
            if (in || op->call == QUEUE_TAKE)
                return VERDICT_UNKNOWN;
            q->empty[i] = true;
            continue;
        }
        q->item[i] = pool_add(&q->values, space, &value, sizeof value, &added);
        if (q->item[i] == POOL_FULL)
            return VERDICT_UNKNOWN;
        struct item *item = &q->items[q->item[i]];
        if (added)
            *item = (struct item){NONE, NONE};
        if (in && item->in != NONE)
            return VERDICT_UNKNOWN;
        if (!in && item->out != NONE)
            verdict = VERDICT_NO;
        *(in ? &item->in : &item->out) = i;
    }
    return verdict;
}

static int64_t out_call(const struct queue *q, const struct item *item)
{
    return item->out == NONE ? NEVER : q->time.call[item->out];
}

// Each value on its own. An enqueue that never returned and whose value never came out had no effect.
static bool items_fit(struct queue *q)
{
    for (uint32_t v = 0; v < q->values.count; v++) {
        struct item *item = &q->items[v];
        if (item->in == NONE)
            return false;
        if (item->out != NONE && q->time.back[item->out] < q->time.call[item->in])
            return false;
        if (item->out == NONE && op_pending(&q->ops[item->in]))
            q->item[item->in] = NONE;
        else if (item->out == NONE)
            q->left_over = true;
    }
    return true;
}

// A value that stays inside is in the way of those that went in after it and came out. One of the dequeues that never
// returned may have taken it, if it was called before the first of those returned; the value whose time is up first gets
// the dequeue that was called first. False: there are not enough of them.
static bool in_order(struct queue *q, struct space *space)
{
    uint32_t *urgent = space_take(space, q->time.events + 1, sizeof *urgent); // by the return it cannot outlast
    uint32_t *next = space_take(space, q->values.count + 1, sizeof *next);
    uint32_t *takers = space_take(space, q->count + 1, sizeof *takers), given = 0, called = 0;
    if (!urgent || !next || !takers)
        return q->no_room = true;
    memset(urgent, 0xff, (q->time.events + 1) * sizeof *urgent);
    int64_t first = NEVER; // return of a dequeue among the values that went in later
    for (uint32_t e = q->time.events; e-- > 0;) {
        uint32_t i = q->time.event[e] / 2, v = q->item[i];
        if (v == NONE || q->ops[i].call != QUEUE_PUT)
            continue;
        const struct item *item = &q->items[v];
        if (!(q->time.event[e] & 1)) {
            first = earlier(first, item->out == NONE ? NEVER : q->time.back[item->out]);
        } else if (out_call(q, item) > first) {
            if (item->out != NONE)
                return false;
            next[v] = urgent[first];
            urgent[first] = v;
        }
    }
    for (uint32_t e = 0; e < q->time.events; e++) {
        uint32_t i = q->time.event[e] / 2;
        if (!(q->time.event[e] & 1) && op_pending(&q->ops[i]) && q->ops[i].call != QUEUE_PUT)
            takers[called++] = i;
        for (uint32_t v = urgent[e]; v != NONE; v = next[v]) {
            if (given == called)
                return false;
            q->items[v].out = takers[given++];
        }
    }
    return true;
}

// The cuts of dequeues that found nothing contain each other in the order of the calls, so one sweep finds them all: in
// the cut is what returned before `cut`, with its partners.
static bool empties_fit(const struct queue *q)
{
    int64_t cut = -1;
    uint32_t seen = 0;
    for (uint32_t e = 0; e < q->time.events; e++) {
        uint32_t d = q->time.event[e] / 2;
        if (q->time.event[e] & 1 || !q->empty[d])
            continue;
        cut = later(cut, e);
        for (; seen < cut && seen < q->time.events; seen++) {
            uint32_t i = q->time.event[seen] / 2;
            if (q->time.event[seen] & 1 && q->item[i] != NONE)
                cut = later(cut, out_call(q, &q->items[q->item[i]]));
        }
        if (cut > q->time.back[d])
            return false;
    }
    return true;
}

// What the history says about each value; as sort_items, and NO if a value cannot have come and gone like that.
static enum verdict queue_begin(struct queue *q, struct space *space, const struct spec *spec, const struct lin_options *options)
{
    if (!time_operations(space, q->ops, q->count, &q->time) || !pool_init(&q->values, space, NULL))
        return VERDICT_UNKNOWN;
    q->items = space_take(space, q->count + 1, sizeof *q->items);
    q->item = space_take(space, q->count + 1, sizeof *q->item);
    q->empty = space_take(space, q->count + 1, sizeof *q->empty);
    if (!q->items || !q->item || !q->empty)
        return VERDICT_UNKNOWN;
    enum verdict verdict = sort_items(q, space, spec, options);
    if (verdict != VERDICT_YES)
        return verdict;
    return items_fit(q) ? VERDICT_YES : VERDICT_NO;
}

static enum verdict queue_check(struct space *space, const struct spec *spec, const struct op *ops, uint32_t count,
                                const struct lin_options *options)
{
    struct queue q = {.ops = ops, .count = count};
    enum verdict verdict = queue_begin(&q, space, spec, options);
    if (verdict != VERDICT_YES)
        return verdict;
    if (!in_order(&q, space))
        return VERDICT_NO;
    if (q.no_room)
        return VERDICT_UNKNOWN;
    if (empties_fit(&q))
        return VERDICT_YES;
    // A dequeue that never returned may have taken the value that should not be there.
    return q.takers && q.left_over ? VERDICT_UNKNOWN : VERDICT_NO;
}

// Stacks. A value is certainly inside from the return of its push to the call of its pop: its *span*. One without a span can
// be pushed and popped at one moment, and is in nobody's way. At a moment that no span covers there may be nothing inside:
// what is there in some order has its span before, and can be popped then, or after, and can be pushed then. So what lies
// before and after such a moment can be looked at by itself. In between, one value has to be at the bottom all the time: one
// that was called to be pushed before the first span begins, and whose pop returned after the last one ends. If there is
// such a value it may as well be that one, and what is left decides; if there is none there is no order. A pop that found
// nothing needs a moment that no span covers.

struct span {
    int64_t in_call, from, to, out_back;
};

struct slice {
    uint32_t first, end;
};

// In the order in which they begin; false if there is no room.
static struct span *find_spans(const struct queue *q, struct space *space, uint32_t *count)
{
    struct span *spans = space_take(space, q->values.count + 1, sizeof *spans);
    *count = 0;
    for (uint32_t e = 0; spans && e < q->time.events; e++) {
        uint32_t i = q->time.event[e] / 2;
        if (!(q->time.event[e] & 1) || q->item[i] == NONE || q->ops[i].call != QUEUE_PUT)
            continue;
        const struct item *item = &q->items[q->item[i]];
        if (out_call(q, item) > e)
            spans[(*count)++] = (struct span){q->time.call[i], e, out_call(q, item),
                                              item->out == NONE ? NEVER : q->time.back[item->out]};
    }
    return spans;
}

static bool empty_pops_fit(const struct queue *q, const struct span *spans, uint32_t count)
{
    int64_t covered = -1; // up to here, by the spans that began before
    uint32_t next = 0;
    for (uint32_t e = 0; e < q->time.events; e++) {
        uint32_t d = q->time.event[e] / 2;
        if (q->time.event[e] & 1 || !q->empty[d])
            continue;
        while (next < count && spans[next].from < later(e, covered)) {
            covered = later(covered, spans[next].to);
            next++;
        }
        if (later(e, covered) >= q->time.back[d])
            return false;
    }
    return true;
}

// Takes out of the slice, all of whose spans hang together, those that can be at the bottom; false if there is none.
static bool take_bottom(struct span *spans, struct slice *slice, int64_t end)
{
    int64_t begin = spans[slice->first].from;
    uint32_t kept = slice->first;
    for (uint32_t i = slice->first; i < slice->end; i++)
        if (spans[i].in_call > begin || spans[i].out_back < end)
            spans[kept++] = spans[i];
    bool some = kept < slice->end;
    slice->end = kept;
    return some;
}

static enum verdict nest(struct span *spans, uint32_t count, struct space *space, const struct lin_options *options)
{
    struct slice *open = space_take(space, count + 1, sizeof *open);
    uint32_t depth = 0, rounds = 0;
    if (!open)
        return VERDICT_UNKNOWN;
    open[depth++] = (struct slice){0, count};
    while (depth) {
        struct slice all = open[--depth];
        if (rounds++ % 64 == 0 && lin_late(options->deadline))
            return VERDICT_UNKNOWN;
        for (uint32_t i = all.first; i < all.end;) {
            struct slice part = {i, i};
            int64_t end = spans[i].to;
            for (; i < all.end && spans[i].from <= end; i++)
                end = later(end, spans[i].to);
            part.end = i;
            if (!take_bottom(spans, &part, end))
                return VERDICT_NO;
            if (part.end > part.first)
                open[depth++] = part;
        }
    }
    return VERDICT_YES;
}

static enum verdict stack_check(struct space *space, const struct spec *spec, const struct op *ops, uint32_t count,
                                const struct lin_options *options)
{
    struct queue q = {.ops = ops, .count = count};
    uint32_t spans_count;
    enum verdict verdict = queue_begin(&q, space, spec, options);
    if (verdict != VERDICT_YES)
        return verdict;
    struct span *spans = find_spans(&q, space, &spans_count);
    if (!spans)
        return VERDICT_UNKNOWN;
    verdict = empty_pops_fit(&q, spans, spans_count) ? nest(spans, spans_count, space, options) : VERDICT_NO;
    // A pop that never returned may have taken a value that is in the way.
    return verdict == VERDICT_NO && q.takers && q.left_over ? VERDICT_UNKNOWN : verdict;
}

enum verdict unique_check(struct space *space, const struct spec *spec, const struct op *ops, uint32_t count,
                          const struct lin_options *options)
{
    space_clear(space);
    if (!count || options->judgement != JUDGE_LINEARIZABLE || options->ignore_pending || options->accept)
        return VERDICT_UNKNOWN;
    if (spec->step == spec_register.step || spec->step == spec_map.step)
        return register_check(space, spec, ops, count, options);
    if (spec->step == spec_queue.step)
        return queue_check(space, spec, ops, count, options);
    if (spec->step == spec_stack.step)
        return stack_check(space, spec, ops, count, options);
    return VERDICT_UNKNOWN;
}
