// Operations that returned are put into chains, in each of which one comes after the other; there are as many chains as
// operations at a time. Which ones an order has taken so far is a position in each chain, and a bit for each operation that
// never returned. A layer has every combination that as many steps can lead to; the next layer is all that is kept of it.
//
// Queue. The n-th value that goes in is the n-th that comes out. So an order of the puts and one of the gets, each of which
// respects time, and in which the n-th of both have the same value, can be made one order if and only if no get returned
// before a put was called that is not behind it in this counting. (Any circle has such a pair in it.) So a step takes a put
// and a get at once, and what lies in the queue is not part of the combination, which would have made them countless.
// Getting nothing splits the order in two: whatever came before it goes in and out before.
//
// Stack. A step takes one operation. Stacks are kept as in general parsing: a node is the value on top, put there by a
// certain combination, with all nodes that it may lie on. All ways to a node are known before anybody takes the value from
// it again, since that is in a later layer.
//
// Of two operations that are alike and could both be next, the one that was called and returned earlier goes first: if an
// order has them the other way round, exchanging them gives an order as good.
#include "history/layers.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/time.h"
#include "history/models.h"

enum {
    NONE = UINT32_MAX,
    CHAINS = 64,
    PENDING = 64,
    MOST_IN_LAYER = 1 << 17,
    MOST_NODES = 1 << 23,
    SOME_NODES = 1 << 16,
    BOTTOM = 0
};

// What an operation does, as bits for sets of them.
enum part_of { PUTS = 1, GETS = 2, EMPTY = 4, ANY = 7 };

struct chain {
    enum part_of part;
    uint32_t start, count; // in `members`
};

// Words of the same number each, and where to find them. Not base/table.h: it is emptied for each operation, and what it
// holds is gone through in order, which is where the time goes.
struct layer_table {
    uint32_t *words, *slots;
    uint32_t count, room, slot_count, width;
};

struct layer_node {
    int64_t value;
    uint32_t edge; // the first of those it lies on, or NONE
};

struct edge {
    uint32_t below, next;
};

struct layers {
    const struct operation *ops;
    uint32_t count;
    bool stack;
    struct chain chain[CHAINS];
    uint32_t chains, *members;
    uint32_t pending[PENDING], pendings; // in order of their calls
    struct layer_table now, next, fresh; // combinations, with the node on top; nodes made in this layer
    struct layer_node *nodes;
    struct edge *edges;
    uint32_t node_count, node_room, edge_count, edge_room, base; // base: of the nodes in `fresh`
    uint32_t in_use;                                             // nodes, when it was last looked
    size_t most_in_layer, most_nodes;
    bool too_many, done;
};

// ---- tables ----

static void layer_table_begin(struct layer_table *t, uint32_t width)
{
    *t = (struct layer_table){.width = width};
}

static void layer_table_free(struct layer_table *t)
{
    free(t->words);
    free(t->slots);
}

static void layer_table_clear(struct layer_table *t)
{
    t->count = 0;
    if (t->slots)
        memset(t->slots, 0, t->slot_count * sizeof *t->slots);
}

static uint32_t slot_for(const struct layer_table *t, const uint32_t *key)
{
    uint64_t hash = 0x9e3779b97f4a7c15u;
    for (uint32_t i = 0; i < t->width; i++)
        hash = (hash ^ key[i]) * 0xd1342543de82ef95u, hash ^= hash >> 29;
    uint32_t at = (uint32_t)(hash >> 20) & (t->slot_count - 1);
    while (t->slots[at] && memcmp(t->words + (size_t)(t->slots[at] - 1) * t->width, key, t->width * sizeof *key) != 0)
        at = (at + 1) & (t->slot_count - 1);
    return at;
}

static void layer_table_grow(struct layer_table *t)
{
    t->room = t->room ? 2 * t->room : 64;
    t->words = alloc_resize(t->words, (size_t)t->room * t->width, sizeof *t->words);
    free(t->slots);
    t->slot_count = 2 * t->room;
    t->slots = alloc_zeroed(t->slot_count, sizeof *t->slots);
    for (uint32_t i = 0; i < t->count; i++)
        t->slots[slot_for(t, t->words + (size_t)i * t->width)] = i + 1;
}

// The number of the entry, which is made if need be.
static uint32_t layer_table_add(struct layer_table *t, const uint32_t *key)
{
    if (t->count == t->room)
        layer_table_grow(t);
    uint32_t at = slot_for(t, key);
    if (!t->slots[at]) {
        memcpy(t->words + (size_t)t->count * t->width, key, t->width * sizeof *key);
        t->slots[at] = ++t->count;
    }
    return t->slots[at] - 1;
}

// ---- combinations: a position for each chain, two words of bits for those that never returned, the node on top ----

static uint32_t *bits_of(const struct layers *l, uint32_t *key)
{
    return key + l->chains;
}

static uint32_t *top_of(const struct layers *l, uint32_t *key)
{
    return key + l->chains + 2;
}

static enum part_of part_of(const struct operation *op)
{
    if (op->call == QUEUE_PUT)
        return PUTS;
    return op->known && op->result == VALUE_NIL ? EMPTY : GETS;
}

static int64_t value_of(const struct operation *op)
{
    return op->call == QUEUE_PUT ? op->argument[0] : op->known ? op->result : VALUE_NIL;
}

static bool is_used(const struct layers *l, uint32_t *key, uint32_t pending)
{
    return bits_of(l, key)[pending / 32] >> (pending % 32) & 1;
}

static const struct operation *head(const struct layers *l, const uint32_t *key, uint32_t c)
{
    const struct chain *chain = &l->chain[c];
    return key[c] < chain->count ? &l->ops[l->members[chain->start + key[c]]] : NULL;
}

// When the first of what is left returns: whatever was called later cannot come next.
static int64_t first_return(const struct layers *l, const uint32_t *key, unsigned parts)
{
    int64_t first = OPERATION_NEVER;
    for (uint32_t c = 0; c < l->chains; c++) {
        const struct operation *op = l->chain[c].part & parts ? head(l, key, c) : NULL;
        if (op && op->returned < first)
            first = op->returned;
    }
    return first;
}

// When the last of what was taken was called.
static int64_t last_call(const struct layers *l, uint32_t *key, unsigned parts)
{
    int64_t last = INT64_MIN;
    for (uint32_t c = 0; c < l->chains; c++) {
        const struct chain *chain = &l->chain[c];
        if (!(chain->part & parts) || !key[c])
            continue;
        const struct operation *op = &l->ops[l->members[chain->start + key[c] - 1]];
        last = op->invoked > last ? op->invoked : last;
    }
    for (uint32_t i = 0; i < l->pendings; i++) {
        const struct operation *op = &l->ops[l->pending[i]];
        if (is_used(l, key, i) && part_of(op) & parts && op->invoked > last)
            last = op->invoked;
    }
    return last;
}

static bool is_over(const struct layers *l, const uint32_t *key, unsigned parts)
{
    for (uint32_t c = 0; c < l->chains; c++)
        if (l->chain[c].part & parts && head(l, key, c))
            return false;
    return true;
}

// ---- what can be next ----

struct choice {
    const struct operation *op;
    uint32_t chain, pending; // NONE: it is the other
};

static void take(const struct layers *l, uint32_t *key, const struct choice *choice)
{
    if (choice->chain != NONE)
        key[choice->chain]++;
    else
        bits_of(l, key)[choice->pending / 32] |= 1u << (choice->pending % 32);
}

static bool alike(const struct operation *a, const struct operation *b)
{
    return part_of(a) == part_of(b) && operation_pending(a) == operation_pending(b) && value_of(a) == value_of(b);
}

static bool goes_first(const struct operation *a, const struct operation *b)
{
    return a->invoked <= b->invoked && a->returned <= b->returned &&
           (a->invoked < b->invoked || a->returned < b->returned || a < b);
}

static void add_choice(struct choice *choices, uint32_t *count, struct choice choice)
{
    for (uint32_t i = 0; i < *count; i++)
        if (alike(choices[i].op, choice.op) && goes_first(choices[i].op, choice.op))
            return;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < *count; i++)
        if (!alike(choices[i].op, choice.op) || !goes_first(choice.op, choices[i].op))
            choices[kept++] = choices[i];
    choices[kept] = choice;
    *count = kept + 1;
}

// All of these parts that can be next as far as others of these parts go.
static uint32_t find_choices(const struct layers *l, uint32_t *key, unsigned parts, struct choice *choices)
{
    int64_t limit = first_return(l, key, parts);
    uint32_t count = 0;
    for (uint32_t c = 0; c < l->chains; c++) {
        const struct operation *op = l->chain[c].part & parts ? head(l, key, c) : NULL;
        if (op && op->invoked <= limit)
            add_choice(choices, &count, (struct choice){op, c, NONE});
    }
    for (uint32_t i = 0; i < l->pendings; i++) {
        const struct operation *op = &l->ops[l->pending[i]];
        if (part_of(op) & parts && op->invoked <= limit && !is_used(l, key, i))
            add_choice(choices, &count, (struct choice){op, NONE, i});
    }
    return count;
}

// What went into a queue need not come out; what goes in after everything else always can.
static void arrive(struct layers *l, const uint32_t *key)
{
    layer_table_add(&l->next, key);
    l->done |= is_over(l, key, l->stack ? ANY : GETS | EMPTY);
    l->too_many |= l->next.count > l->most_in_layer;
}

// ---- queues ----

// Takes what got nothing, as soon as it can be: that changes nothing. False if something of it can never be taken.
static bool take_empty(const struct layers *l, uint32_t *key)
{
    int64_t called = last_call(l, key, PUTS | GETS);
    for (uint32_t c = 0; c < l->chains; c++) {
        const struct operation *op = l->chain[c].part == EMPTY ? head(l, key, c) : NULL;
        if (!op)
            continue;
        if (op->returned < called)
            return false;
        int64_t returns = first_return(l, key, ANY);
        if (first_return(l, key, PUTS | GETS) >= called && returns >= op->invoked) {
            key[c]++;
            c = NONE; // from the beginning
        }
    }
    return true;
}

static void arrive_at_queue(struct layers *l, uint32_t *key)
{
    if (take_empty(l, key))
        arrive(l, key);
}

static void go_on_from_queue(struct layers *l, uint32_t *key)
{
    struct choice put[CHAINS + PENDING], get[CHAINS + PENDING];
    uint32_t puts = find_choices(l, key, PUTS, put), gets = find_choices(l, key, GETS, get);
    uint32_t then[CHAINS + 3];
    for (uint32_t p = 0; p < puts; p++) {
        int64_t called = last_call(l, key, PUTS);
        called = put[p].op->invoked > called ? put[p].op->invoked : called;
        for (uint32_t g = 0; g < gets; g++) {
            bool fits = !get[g].op->known || get[g].op->result == value_of(put[p].op);
            if (!fits || get[g].op->returned < called)
                continue;
            memcpy(then, key, l->next.width * sizeof *then);
            take(l, then, &put[p]);
            take(l, then, &get[g]);
            if (first_return(l, then, GETS) >= called)
                arrive_at_queue(l, then);
        }
    }
}

// ---- stacks ----

static uint32_t make_node(struct layers *l, const uint32_t *key, int64_t value, uint32_t below)
{
    uint32_t name[CHAINS + 5], width = l->chains + 2, known = l->fresh.count;
    memcpy(name, key, width * sizeof *name);
    memcpy(name + width, &value, sizeof value);
    uint32_t number = l->base + layer_table_add(&l->fresh, name);
    if (l->node_count == l->node_room) {
        l->node_room = 2 * l->node_room + 1024;
        l->nodes = alloc_resize(l->nodes, l->node_room, sizeof *l->nodes);
    }
    if (l->edge_count == l->edge_room) {
        l->edge_room = 2 * l->edge_room + 1024;
        l->edges = alloc_resize(l->edges, l->edge_room, sizeof *l->edges);
    }
    if (l->fresh.count > known)
        l->nodes[l->node_count++] = (struct layer_node){value, NONE};
    l->edges[l->edge_count] = (struct edge){below, l->nodes[number].edge};
    l->nodes[number].edge = l->edge_count++;
    l->too_many |= l->node_count > l->most_nodes || l->edge_count > l->most_nodes;
    return number;
}

// The new number of each node that a stack of the next layer has, from 1 on in the same order; 0 of the others.
static uint32_t *find_nodes_in_use(struct layers *l)
{
    uint32_t *number = alloc_zeroed(l->node_count, sizeof *number), *open = alloc_zeroed(l->node_count, sizeof *open),
             count = 0;
    for (uint32_t i = 0; i < l->next.count; i++) {
        uint32_t top = *top_of(l, l->next.words + (size_t)i * l->next.width);
        if (top != BOTTOM && !number[top]++)
            open[count++] = top;
    }
    while (count) {
        uint32_t node = open[--count];
        for (uint32_t e = l->nodes[node].edge; e != NONE; e = l->edges[e].next)
            if (l->edges[e].below != BOTTOM && !number[l->edges[e].below]++)
                open[count++] = l->edges[e].below;
    }
    free(open);
    l->in_use = 1;
    for (uint32_t i = 1; i < l->node_count; i++)
        number[i] = number[i] ? l->in_use++ : 0;
    return number;
}

// Forgets nodes that are in no stack any more.
static void forget_nodes(struct layers *l)
{
    if (l->node_count < 2 * l->in_use + SOME_NODES)
        return;
    uint32_t *number = find_nodes_in_use(l), edges = 0;
    struct edge *kept = alloc_zeroed(l->edge_room, sizeof *kept);
    for (uint32_t i = 1; i < l->node_count; i++) {
        if (!number[i])
            continue;
        uint32_t first = NONE;
        for (uint32_t e = l->nodes[i].edge; e != NONE; e = l->edges[e].next) {
            kept[edges] = (struct edge){number[l->edges[e].below], first};
            first = edges++;
        }
        l->nodes[number[i]] = (struct layer_node){l->nodes[i].value, first};
    }
    free(l->edges);
    l->edges = kept;
    l->edge_count = edges;
    l->node_count = l->in_use;
    for (uint32_t i = 0; i < l->next.count; i++) {
        uint32_t *top = top_of(l, l->next.words + (size_t)i * l->next.width);
        *top = number[*top];
    }
    free(number);
}

static void step_stack(struct layers *l, uint32_t *key, const struct choice *choice)
{
    uint32_t then[CHAINS + 3], top = *top_of(l, key);
    memcpy(then, key, l->next.width * sizeof *then);
    take(l, then, choice);
    switch (part_of(choice->op)) {
    case PUTS:
        *top_of(l, then) = make_node(l, then, value_of(choice->op), top);
        arrive(l, then);
        break;
    case GETS:
        if (top == BOTTOM || (choice->op->known && l->nodes[top].value != choice->op->result))
            return;
        for (uint32_t e = l->nodes[top].edge; e != NONE; e = l->edges[e].next) {
            *top_of(l, then) = l->edges[e].below;
            arrive(l, then);
        }
        break;
    default:
        if (top == BOTTOM)
            arrive(l, then);
    }
}

// What got nothing goes first where it can: it changes nothing.
static void go_on_from_stack(struct layers *l, uint32_t *key)
{
    struct choice choices[CHAINS + PENDING];
    uint32_t count = find_choices(l, key, ANY, choices);
    for (uint32_t i = 0; i < count && *top_of(l, key) == BOTTOM; i++) {
        if (part_of(choices[i].op) == EMPTY) {
            step_stack(l, key, &choices[i]);
            return;
        }
    }
    for (uint32_t i = 0; i < count; i++)
        step_stack(l, key, &choices[i]);
}

// ---- the history ----

// Whether layers can be made of it: whoever returned said what it got, and nothing may fail for no reason.
static bool is_fit(const struct spec *spec, const struct operation *ops, uint32_t count,
                   const struct lin_options *options)
{
    bool list = spec->step == spec_queue.step || spec->step == spec_stack.step;
    if (!list || options->judgement != JUDGE_LINEARIZABLE || options->may_fail || options->ignore_pending ||
        options->accept)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        bool put = ops[i].call == QUEUE_PUT;
        if (put && (ops[i].argument[0] == VALUE_NIL || (ops[i].known && ops[i].result != VALUE_NIL)))
            return false;
        if (!put && (operation_pending(&ops[i]) ? ops[i].known : !ops[i].known))
            return false;
        if (ops[i].call == QUEUE_TAKE && ops[i].known && ops[i].result == VALUE_NIL)
            return false;
    }
    return true;
}

static const struct operation *compared;

static int by_call(const void *a, const void *b)
{
    const struct operation *x = &compared[*(const uint32_t *)a], *y = &compared[*(const uint32_t *)b];
    return x->invoked != y->invoked ? (x->invoked < y->invoked ? -1 : 1) : (x > y) - (x < y);
}

// A chain of this part whose last operation had returned; a new one if there is none; NONE if there are too many.
static uint32_t chain_for(struct layers *l, const uint32_t *last, const struct operation *op)
{
    enum part_of part = part_of(op);
    for (uint32_t c = 0; c < l->chains; c++)
        if ((l->stack || l->chain[c].part == part) && l->ops[last[c]].returned < op->invoked)
            return c;
    if (l->chains == CHAINS)
        return NONE;
    l->chain[l->chains] = (struct chain){.part = l->stack ? ANY : part};
    return l->chains++;
}

static void put_in_chains(struct layers *l, const uint32_t *order, const uint32_t *chain_of)
{
    uint32_t at[CHAINS], start = 0;
    for (uint32_t c = 0; c < l->chains; c++) {
        l->chain[c].start = at[c] = start;
        start += l->chain[c].count;
    }
    for (uint32_t i = 0; i < l->count; i++)
        if (chain_of[i] != NONE)
            l->members[at[chain_of[i]]++] = order[i];
}

static bool make_chains(struct layers *l)
{
    uint32_t *order = alloc_zeroed(l->count + 1, sizeof *order),
             *chain_of = alloc_zeroed(l->count + 1, sizeof *chain_of), last[CHAINS];
    bool fits = true;
    l->members = alloc_zeroed(l->count + 1, sizeof *l->members);
    for (uint32_t i = 0; i < l->count; i++)
        order[i] = i;
    compared = l->ops;
    qsort(order, l->count, sizeof *order, by_call);
    for (uint32_t i = 0; i < l->count && fits; i++) {
        const struct operation *op = &l->ops[order[i]];
        chain_of[i] = NONE;
        if (operation_pending(op)) {
            fits = l->pendings < PENDING;
            if (fits)
                l->pending[l->pendings++] = order[i];
            continue;
        }
        uint32_t c = chain_of[i] = chain_for(l, last, op);
        fits = c != NONE;
        if (fits) {
            last[c] = order[i];
            l->chain[c].count++;
        }
    }
    if (fits)
        put_in_chains(l, order, chain_of);
    free(order);
    free(chain_of);
    return fits;
}

static void swap_layers(struct layers *l)
{
    forget_nodes(l);
    struct layer_table t = l->now;
    l->now = l->next;
    l->next = t;
    layer_table_clear(&l->next);
    layer_table_clear(&l->fresh);
    l->base = l->node_count;
}

static void begin(struct layers *l)
{
    uint32_t key[CHAINS + 3] = {0}, width = l->chains + 3;
    layer_table_begin(&l->now, width);
    layer_table_begin(&l->next, width);
    layer_table_begin(&l->fresh, width + 1);
    l->nodes = alloc_zeroed(l->node_room = 1024, sizeof *l->nodes);
    l->node_count = l->base = 1; // number 0 is BOTTOM
    if (l->stack)
        arrive(l, key);
    else
        arrive_at_queue(l, key);
}

static enum verdict sweep(struct layers *l, const struct lin_options *options, uint64_t *visited)
{
    double until = options->deadline > 0 ? (time_now() + 4 * options->deadline) / 5 : 0; // a search may do better
    begin(l);
    while (l->next.count && !l->done && !l->too_many) {
        *visited += l->next.count;
        if (lin_late(until) || (options->max_visited && *visited > options->max_visited))
            return VERDICT_UNKNOWN;
        swap_layers(l);
        for (uint32_t i = 0; i < l->now.count && !l->done && !l->too_many; i++) {
            uint32_t *key = l->now.words + (size_t)i * l->now.width;
            if (l->stack)
                go_on_from_stack(l, key);
            else
                go_on_from_queue(l, key);
        }
    }
    return l->done ? VERDICT_YES : l->too_many ? VERDICT_UNKNOWN : VERDICT_NO;
}

// Of `bytes`: half for two layers and their tables at their largest, half for nodes and what cleaning them up takes.
static void set_limits(struct layers *l, size_t bytes)
{
    size_t in_layer = bytes / ((size_t)8 * (l->chains + 5) * sizeof(uint32_t)), nodes = bytes / ((size_t)4 * 48);
    l->most_in_layer = in_layer < MOST_IN_LAYER ? in_layer : MOST_IN_LAYER;
    l->most_nodes = nodes < MOST_NODES ? nodes : MOST_NODES;
}

enum verdict layers_check(const struct spec *spec, const struct operation *ops, uint32_t count,
                          const struct lin_options *options, size_t bytes, uint64_t *visited)
{
    struct layers l = {.ops = ops, .count = count, .stack = spec->step == spec_stack.step};
    *visited = 0;
    if (!is_fit(spec, ops, count, options))
        return VERDICT_UNKNOWN;
    bool fits = make_chains(&l);
    set_limits(&l, bytes);
    enum verdict verdict = fits ? sweep(&l, options, visited) : VERDICT_UNKNOWN;
    layer_table_free(&l.now);
    layer_table_free(&l.next);
    layer_table_free(&l.fresh);
    free(l.members);
    free(l.nodes);
    free(l.edges);
    return verdict;
}
