#include "consensus/quorum_tree.h"

#include <stdlib.h>

#include "base/alloc.h"

// BEHIND: whoever keeps an element may read a little beyond it. ALL_NODES: with twice as many slots, numbers have 32 bits.
enum { FEW_SLOTS = 1 << 10, BEHIND = 1, ALL_NODES = 1 << 30 };

const char *const qtree_fault_names[QTREE_FAULTS] = {
    [QTREE_FINE] = "fine",
    [QTREE_ROUND_ZERO] = "round-zero",
    [QTREE_ADDED_TWICE] = "added-twice",
    [QTREE_COMMITTED_TWICE] = "committed-twice",
    [QTREE_NEVER_ADDED] = "never-added",
    [QTREE_NO_PARENT] = "no-parent",
    [QTREE_PARENT_NOT_LOWER] = "parent-not-lower",
    [QTREE_VALUE_CHANGED] = "value-changed",
    [QTREE_PASSED_OVER] = "passed-over",
    [QTREE_FULL] = "full",
};

const char *const qtree_status_names[QTREE_STATUSES] = {"added", "ghost", "committed", "refused"};

void qtree_open(struct qtree *t, const struct qtree_options *options)
{
    *t = (struct qtree){.options = *options};
    t->slots = FEW_SLOTS;
    if (options->most_nodes) {
        while (t->slots < 2 * options->most_nodes)
            t->slots *= 2;
        t->node_room = t->instance_room = options->most_nodes;
        t->node = alloc_zeroed(t->node_room + BEHIND, sizeof *t->node);
        t->instance = alloc_zeroed(t->instance_room + BEHIND, sizeof *t->instance);
    }
    t->slot = alloc_zeroed(t->slots + 2 * BEHIND, sizeof *t->slot);
    t->counts.nodes = 1;
}

void qtree_close(struct qtree *t)
{
    free(t->node);
    free(t->instance);
    free(t->slot);
    *t = (struct qtree){.node = NULL};
}

static inline void keep(const struct qtree *t, const void *what, size_t size)
{
    if (t->options.keep)
        t->options.keep(what, size);
}

// The table of rounds.

static inline uint64_t mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static inline uint64_t hash_of(uint64_t instance, struct qtree_round r)
{
    return mix(mix(instance * 0x9e3779b97f4a7c15u + r.term) + r.index * 0xd6e8feb86659fd93u);
}

static inline bool is_node(const struct qtree *t, uint32_t node, uint64_t instance, struct qtree_round r)
{
    const struct qtree_node *n = &t->node[node];
    return qtree_same_round(n->round, r) && t->instance[n->instance].number == instance;
}

// The slot of the round, which is free if the round is not there. A slot has the upper half of the hash, and the node.
static uint64_t *find_slot(const struct qtree *t, uint64_t instance, struct qtree_round r, uint64_t hash)
{
    for (uint64_t at = hash & (t->slots - 1);; at = (at + 1) & (t->slots - 1)) {
        uint64_t *slot = &t->slot[at];
        if (!*slot || (*slot >> 32 == hash >> 32 && is_node(t, (uint32_t)*slot, instance, r)))
            return slot;
    }
}

static uint32_t find(const struct qtree *t, uint64_t instance, struct qtree_round r)
{
    return (uint32_t)*find_slot(t, instance, r, hash_of(instance, r));
}

static void grow_slots(struct qtree *t)
{
    uint64_t *old = t->slot;
    uint32_t count = t->slots;
    t->slots *= 2;
    t->slot = alloc_zeroed(t->slots + 2 * BEHIND, sizeof *t->slot);
    for (uint32_t i = 0; i < count; i++) {
        if (!old[i])
            continue;
        const struct qtree_node *n = &t->node[(uint32_t)old[i]];
        uint64_t number = t->instance[n->instance].number;
        *find_slot(t, number, n->round, hash_of(number, n->round)) = old[i];
    }
    free(old);
}

static void enter(struct qtree *t, uint32_t node)
{
    const struct qtree_node *n = &t->node[node];
    if (!t->options.most_nodes && t->counts.nodes * 2ull > t->slots)
        grow_slots(t);
    uint64_t number = t->instance[n->instance].number, hash = hash_of(number, n->round);
    uint64_t *slot = find_slot(t, number, n->round, hash);
    keep(t, slot, sizeof *slot);
    *slot = hash >> 32 << 32 | node;
}

static bool is_full(const struct qtree *t)
{
    uint32_t most = t->options.most_nodes ? t->options.most_nodes : ALL_NODES;
    return t->counts.nodes + 2 >= most; // a round may be the first of its instance, and bring the root
}

static uint32_t new_node(struct qtree *t, struct qtree_node node)
{
    if (!t->options.most_nodes)
        t->node = alloc_reserve(t->node, t->counts.nodes + 1ul, &t->node_room, sizeof *t->node);
    t->node[t->counts.nodes] = node;
    return t->counts.nodes++;
}

static uint32_t new_instance(struct qtree *t, uint64_t number)
{
    if (!t->options.most_nodes)
        t->instance = alloc_reserve(t->instance, t->counts.instances + 1ul, &t->instance_room, sizeof *t->instance);
    uint32_t root = t->counts.nodes, instance = t->counts.instances++;
    t->instance[instance] = (struct qtree_instance){.number = number, .root = root, .top = root};
    new_node(t, (struct qtree_node){
                    .parent = root, .instance = instance, .below = root, .jump = root, .is_committed = true});
    enter(t, root);
    return instance;
}

// The stack of rounds that are no ghosts, with the jumps of Myers: a search takes a logarithm of its way.

static void push(struct qtree *t, uint32_t node, uint32_t below)
{
    struct qtree_node *n = &t->node[node];
    const struct qtree_node *b = &t->node[below], *j = &t->node[b->jump];
    n->below = below;
    n->height = b->height + 1;
    n->jump = b->height - j->height == j->height - t->node[j->jump].height ? j->jump : below;
}

// The highest one in the stack below this round, be it a ghost or not.
static uint32_t highest_below(const struct qtree *t, uint32_t at, struct qtree_round r)
{
    while (!qtree_before(t->node[at].round, r)) {
        uint32_t jump = t->node[at].jump;
        at = qtree_before(t->node[jump].round, r) ? t->node[at].below : jump;
    }
    return at;
}

// This one, or if it is a ghost the next lower one that is none. Ways past many ghosts become short.
static uint32_t no_ghost(struct qtree *t, uint32_t at)
{
    while (t->node[at].over) {
        struct qtree_node *n = &t->node[at];
        uint32_t next = t->node[n->lower].over ? t->node[n->lower].lower : n->lower;
        if (next != n->lower) {
            keep(t, &n->lower, sizeof n->lower);
            n->lower = next;
        }
        at = next;
    }
    return at;
}

// A committed round that the new one would pass over, or QTREE_NOBODY.
static uint32_t find_passed(struct qtree *t, const struct qtree_instance *in, struct qtree_round parent,
                            struct qtree_round round)
{
    uint32_t at = no_ghost(t, highest_below(t, in->top, round));
    while (qtree_before(parent, t->node[at].round)) {
        if (t->node[at].is_committed)
            return at;
        at = no_ghost(t, t->node[at].below);
    }
    return QTREE_NOBODY;
}

// Makes ghosts of what the node passes over; returns where that ends.
static uint32_t make_ghosts(struct qtree *t, const struct qtree_instance *in, uint32_t node)
{
    struct qtree_round round = t->node[node].round, parent = t->node[t->node[node].parent].round;
    uint32_t at = no_ghost(t, highest_below(t, in->top, round));
    while (qtree_before(parent, t->node[at].round)) {
        struct qtree_node *n = &t->node[at];
        keep(t, n, sizeof *n);
        n->over = node;
        n->lower = n->below;
        at = no_ghost(t, n->below);
    }
    return at;
}

uint32_t qtree_passes_over(const struct qtree *t, uint32_t ghost)
{
    uint32_t at = t->node[ghost].over;
    while (!qtree_before(t->node[t->node[at].parent].round, t->node[ghost].round))
        at = t->node[at].parent;
    return at;
}

enum qtree_status qtree_status(const struct qtree_node *n)
{
    return n->is_refused ? QTREE_REFUSED : n->is_committed ? QTREE_COMMITTED : n->over ? QTREE_GHOST : QTREE_ADDED;
}

// Events.

static struct qtree_event event_of(const struct qtree *t, uint32_t node, bool is_commit)
{
    const struct qtree_node *n = &t->node[node];
    return (struct qtree_event){.is_commit = is_commit,
                                .instance = t->instance[n->instance].number,
                                .round = n->round,
                                .parent = t->node[n->parent].round,
                                .value = n->value,
                                .origin = is_commit ? n->committed : n->added};
}

// `node` has the event that this one disagrees with; QTREE_NOBODY: it is wrong by itself.
static enum qtree_fault accuse(const struct qtree *t, enum qtree_fault fault, const struct qtree_event *event,
                               uint32_t node, bool is_commit, struct qtree_violation *v)
{
    *v = (struct qtree_violation){.fault = fault, .event = *event, .has_other = node != QTREE_NOBODY};
    if (v->has_other)
        v->other = event_of(t, node, is_commit);
    return fault;
}

static bool says_the_same(const struct qtree *t, uint32_t known, const struct qtree_event *e)
{
    return t->options.witnesses && t->node[known].value == e->value &&
           qtree_same_round(t->node[t->node[known].parent].round, e->parent);
}

static enum qtree_fault judge_add(struct qtree *t, const struct qtree_instance *in, const struct qtree_event *e,
                                  uint32_t known, uint32_t parent, struct qtree_violation *v)
{
    if (qtree_is_root(e->round))
        return accuse(t, QTREE_ROUND_ZERO, e, QTREE_NOBODY, false, v);
    if (known)
        return accuse(t, QTREE_ADDED_TWICE, e, known, false, v);
    if (!qtree_before(e->parent, e->round))
        return accuse(t, QTREE_PARENT_NOT_LOWER, e, QTREE_NOBODY, false, v);
    if (!parent)
        return accuse(t, QTREE_NO_PARENT, e, QTREE_NOBODY, false, v);
    if (t->options.values == QTREE_SAME_VALUES && parent != in->root && t->node[parent].value != e->value)
        return accuse(t, QTREE_VALUE_CHANGED, e, parent, false, v);
    uint32_t passed = find_passed(t, in, e->parent, e->round);
    return passed ? accuse(t, QTREE_PASSED_OVER, e, passed, true, v) : QTREE_FINE;
}

// Everything of an event, so that sums over events are equal only for the same events.
static uint64_t event_hash(const struct qtree_event *e)
{
    uint64_t hash = hash_of(e->instance, e->round);
    return e->is_commit ? mix(~hash) : mix(hash + e->value * 0x9e3779b97f4a7c15u) + hash_of(hash, e->parent);
}

static enum qtree_fault add(struct qtree *t, struct qtree_instance *in, const struct qtree_event *e,
                            struct qtree_violation *v)
{
    uint32_t known = find(t, e->instance, e->round);
    if (known && known != in->root && says_the_same(t, known, e))
        return QTREE_FINE;
    bool on_top = qtree_same_round(t->node[in->top].round, e->parent);
    uint32_t parent = on_top ? in->top : find(t, e->instance, e->parent);
    enum qtree_fault fault = judge_add(t, in, e, known, parent, v);
    uint32_t node = new_node(t, (struct qtree_node){.round = e->round,
                                                    .value = e->value,
                                                    .added = e->origin,
                                                    .parent = parent ? parent : in->root,
                                                    .instance = (uint32_t)(in - t->instance),
                                                    .is_refused = fault != QTREE_FINE});
    if (fault != QTREE_FINE)
        return fault;
    uint32_t below = make_ghosts(t, in, node);
    in->nodes++;
    if (qtree_before(t->node[in->top].round, e->round)) {
        push(t, node, below);
        in->top = node;
    } else {
        t->node[node].over = in->top;
    }
    enter(t, node);
    t->counts.hash += event_hash(e);
    return QTREE_FINE;
}

static enum qtree_fault commit(struct qtree *t, struct qtree_instance *in, const struct qtree_event *e,
                               struct qtree_violation *v)
{
    uint32_t node = find(t, e->instance, e->round);
    struct qtree_event whole = node ? event_of(t, node, true) : *e;
    struct qtree_node *n = &t->node[node];
    whole.origin = e->origin;
    if (node == in->root)
        return accuse(t, QTREE_ROUND_ZERO, e, QTREE_NOBODY, false, v);
    if (!node)
        return accuse(t, QTREE_NEVER_ADDED, e, QTREE_NOBODY, false, v);
    if (n->is_committed)
        return t->options.witnesses ? QTREE_FINE : accuse(t, QTREE_COMMITTED_TWICE, &whole, node, true, v);
    if (n->over)
        return accuse(t, QTREE_PASSED_OVER, &whole, qtree_passes_over(t, node), false, v);
    keep(t, n, sizeof *n);
    n->is_committed = true;
    n->committed = e->origin;
    in->commits++;
    t->counts.hash += event_hash(e);
    return QTREE_FINE;
}

enum qtree_fault qtree_take(struct qtree *t, const struct qtree_event *e, struct qtree_violation *v)
{
    static const struct qtree_round zero;
    if (is_full(t))
        return accuse(t, QTREE_FULL, e, QTREE_NOBODY, false, v);
    keep(t, &t->counts, sizeof t->counts);
    t->counts.events++;
    uint32_t root = find(t, e->instance, zero), number = root ? t->node[root].instance : new_instance(t, e->instance);
    struct qtree_instance *in = &t->instance[number];
    if (in->is_broken) {
        t->counts.after++;
        return QTREE_FINE;
    }
    keep(t, in, sizeof *in);
    enum qtree_fault fault = e->is_commit ? commit(t, in, e, v) : add(t, in, e, v);
    in->is_broken = fault != QTREE_FINE;
    return fault;
}
