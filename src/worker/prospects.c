// The witnesses (orders.h) form a tree: an edge is a call with its result, a node the orders that begin alike. Nodes below
// which everything looks the same are states of the specification that nobody can tell apart; `future` is their fingerprint.
//
// A beginning of a witness explains the history so far if it has all calls that returned, with their results, and otherwise
// only calls that have begun, and if no call stands in front of one that returned before it began. A whole witness explains
// a whole history if and only if the shortest beginning of it that has all calls that returned by now explains what there is
// by now, and the rest of the witness keeps to what comes later. (A call that begins later cannot stand in that beginning; and one
// that has not returned cannot have returned before another began.) So what matters of the history is the set of its
// explanations: which calls they have, what they say that those give which have not returned, and their futures. And of two
// histories the one with fewer explanations fails whenever the other does.
//
// The results so far are kept too, although the judgement does not need them: then the search comes to each combination of
// results that there is, and not only to each way of being judged.
//
// Where it matters who overlapped whom, or what single calls gave (orders_need_times), the history is kept as it is.
//
// With `sequential` any order of calls of different threads will do, so only results matter. With `quiescent` the history is
// kept as it is.
#include "worker/prospects.h"

#include "base/mem.h"
#include "target/threads/engine/engine_room.h"
#include "target/threads/libc/libc_room.h"
#include "worker/orders.h"

enum {
    NODES = 1 << 21,
    EXPLANATIONS = 1 << 18, // different ones of all histories
    SETS = 1 << 18,
    MEMBERS = 1 << 26, // of all sets together
    COMPARED = 1 << 16
};

struct node {
    uint32_t child, sibling; // 0: none
    int64_t result;          // of the call that leads here …
    uint32_t call;           // … and which it is
    calls waits;             // calls that may have to wait here
    struct fingerprint future;
};

// Numbers for fingerprints, from 1 in the order in which they were first seen.
struct numbering {
    struct fingerprint *table; // open addressing; {0, 0} is free
    uint32_t *number;
    uint32_t *used, count, most;
};

struct set {
    uint32_t start, count; // sorted numbers of explanations
};

static struct {
    struct node *nodes; // 0 is the root
    uint32_t count;
    bool too_many; // of anything: then the history is kept as it is
    struct numbering explanations, histories, sets;
    uint32_t *set_of_history; // by number
    struct set *set;          // by number
    uint32_t *members, member_count;
    uint64_t compared[COMPARED]; // pairs of sets, and what came out: forgets
} prospects;

static bool prospects_has(calls set, uint32_t call)
{
    return set >> call & 1;
}

// ---- the tree ----

static uint32_t child_of(uint32_t parent, uint32_t call, int64_t result)
{
    struct node *nodes = prospects.nodes;
    for (uint32_t at = nodes[parent].child; at; at = nodes[at].sibling)
        if (nodes[at].call == call && nodes[at].result == result)
            return at;
    if (prospects.count == NODES) {
        prospects.too_many = true;
        return parent;
    }
    uint32_t fresh = prospects.count++;
    nodes[fresh] = (struct node){.sibling = nodes[parent].child, .result = result, .call = call};
    nodes[parent].child = fresh;
    return fresh;
}

static void add_witness(const struct witness *w)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < w->count; i++)
        at = child_of(at, w->order[i], w->result[w->order[i]]);
    if (w->waits != NOBODY)
        prospects.nodes[at].waits |= (calls)(1u << w->waits);
}

static struct fingerprint prospects_pair(struct fingerprint f, uint64_t word)
{
    fingerprint_mix(&f, word);
    return fingerprint_of(f.low, f.high);
}

// Children have higher numbers than their parents.
static void find_futures(void)
{
    struct node *nodes = prospects.nodes;
    for (uint32_t n = prospects.count; n-- > 0;) {
        nodes[n].future = fingerprint_of(0, nodes[n].waits);
        for (uint32_t at = nodes[n].child; at; at = nodes[at].sibling) {
            struct fingerprint edge = prospects_pair(nodes[at].future, nodes[at].call);
            fingerprint_add(&nodes[n].future, prospects_pair(edge, (uint64_t)nodes[at].result));
        }
    }
}

// ---- numbers ----

static void numbering_begin(struct numbering *n, uint32_t most)
{
    if (!n->table) {
        n->most = most;
        n->table = mem_reserve(2ull * most * sizeof *n->table);
        n->number = mem_reserve(2ull * most * sizeof *n->number);
        n->used = mem_reserve((most + 1ull) * sizeof *n->used);
    }
    for (; n->count; n->count--)
        n->table[n->used[n->count]] = (struct fingerprint){0, 0};
}

// The number of a fingerprint; `fresh` if it is new. 0 if there are too many.
static uint32_t prospects_number_of(struct numbering *n, struct fingerprint f, bool *fresh)
{
    uint32_t at = (uint32_t)f.low & (2 * n->most - 1);
    while ((n->table[at].low || n->table[at].high) && (n->table[at].low != f.low || n->table[at].high != f.high))
        at = (at + 1) & (2 * n->most - 1);
    *fresh = !n->table[at].low && !n->table[at].high;
    if (!*fresh)
        return n->number[at];
    if (n->count + 1 == n->most) {
        prospects.too_many = true;
        return 0;
    }
    n->table[at] = f;
    n->used[++n->count] = at;
    return n->number[at] = n->count;
}

static void prospects_reserve(void)
{
    if (prospects.nodes)
        return;
    prospects.nodes = mem_reserve(NODES * sizeof *prospects.nodes);
    prospects.set_of_history = mem_reserve(SETS * sizeof *prospects.set_of_history);
    prospects.set = mem_reserve(SETS * sizeof *prospects.set);
    prospects.members = mem_reserve(MEMBERS * sizeof *prospects.members);
}

void prospects_begin(void)
{
    prospects_reserve();
    numbering_begin(&prospects.explanations, EXPLANATIONS);
    numbering_begin(&prospects.histories, SETS);
    numbering_begin(&prospects.sets, SETS);
    prospects.member_count = 0;
    plain_fill(prospects.compared, 0, sizeof prospects.compared);
    prospects.nodes[0] = (struct node){0};
    prospects.count = 1;
    prospects.too_many = false;
    for (uint32_t i = 0; i < orders_count() && !prospects.too_many; i++)
        add_witness(orders_witness(i));
    find_futures();
}

// ---- the history so far ----

// Whether the call may come next in an explanation that has `taken` already.
static bool may_be_next(const struct view *v, calls taken, const struct node *edge)
{
    uint32_t call = edge->call;
    if (!prospects_has(v->begun, call) || (prospects_has(v->returned, call) && v->result[call] != edge->result))
        return false;
    for (calls left = v->returned & (calls)~taken; left; left &= (calls)(left - 1)) {
        uint32_t other = (uint32_t)__builtin_ctz(left);
        if (other != call && !prospects_has(v->begun_before[other], call))
            return false;
    }
    return true;
}

static void add_member(struct fingerprint explanation)
{
    bool fresh;
    uint32_t number = prospects_number_of(&prospects.explanations, explanation, &fresh);
    if (prospects.member_count == MEMBERS)
        prospects.too_many = true;
    else
        prospects.members[prospects.member_count++] = number;
}

// Collects the explanations at the node and below it. `claims` is what the calls that have not returned are said to give.
static void prospects_explain(const struct view *v, uint32_t at, calls taken, struct fingerprint claims)
{
    const struct node *nodes = prospects.nodes;
    if (!(v->returned & ~taken))
        add_member(
            prospects_pair(prospects_pair(prospects_pair(claims, taken), nodes[at].future.low), nodes[at].future.high));
    for (uint32_t next = nodes[at].child; next && !prospects.too_many; next = nodes[next].sibling) {
        if (!may_be_next(v, taken, &nodes[next]))
            continue;
        struct fingerprint more = claims;
        if (!prospects_has(v->returned, nodes[next].call))
            fingerprint_add(&more, fingerprint_of(nodes[next].call + 1, (uint64_t)nodes[next].result));
        prospects_explain(v, next, (calls)(taken | 1u << nodes[next].call), more);
    }
}

// Sorts the members from `start` on and drops those that are there already.
static void make_set(uint32_t start)
{
    uint32_t *m = prospects.members, end = prospects.member_count, kept = start;
    for (uint32_t i = start + 1; i < end; i++)
        for (uint32_t j = i; j > start && m[j] < m[j - 1]; j--) {
            uint32_t member = m[j];
            m[j] = m[j - 1];
            m[j - 1] = member;
        }
    for (uint32_t i = start; i < end; i++)
        if (kept == start || m[kept - 1] != m[i])
            m[kept++] = m[i];
    prospects.member_count = kept;
}

// The number of the set of the members from `start` on, which are forgotten if it is known.
static uint32_t number_of_set(uint32_t start)
{
    struct fingerprint f = {1, 1};
    bool fresh;
    make_set(start);
    for (uint32_t i = start; i < prospects.member_count; i++)
        fingerprint_mix(&f, prospects.members[i]);
    uint32_t number = prospects_number_of(&prospects.sets, fingerprint_of(f.low, f.high), &fresh);
    if (fresh)
        prospects.set[number] = (struct set){start, prospects.member_count - start};
    else
        prospects.member_count = start;
    return number;
}

static struct fingerprint history_of(const struct view *v, bool with_times)
{
    struct fingerprint f = {v->returned, v->begun};
    for (uint32_t i = 0; i < client_run.client->calls; i++) {
        if (!prospects_has(v->returned, i))
            continue;
        fingerprint_mix(&f, (uint64_t)v->result[i]);
        fingerprint_mix(&f, with_times ? v->begun_before[i] : 0);
    }
    return fingerprint_of(f.low, f.high);
}

static uint32_t explanations_of(const struct view *v)
{
    bool fresh;
    uint32_t history = prospects_number_of(&prospects.histories, history_of(v, true), &fresh);
    if (fresh && !prospects.too_many) {
        uint32_t start = prospects.member_count;
        prospects_explain(v, 0, 0, (struct fingerprint){0, 0});
        prospects.set_of_history[history] = number_of_set(start);
    }
    return prospects.set_of_history[history];
}

// How many steps calls under way have made, of those that promise to make no more than so many.
static void mix_steps(struct fingerprint *f)
{
    for (uint32_t i = 0; i < client_run.client->calls; i++) {
        const struct ran_call *ran = &client_run.ran[i];
        uint32_t operation = client_run.client->call[i].operation;
        if (ran->state == CALL_BEGUN && operation != CLIENT_OBSERVE &&
            client_run.job->object.operation[operation].steps)
            fingerprint_mix(f, engine.exec.actors[ran->actor].events - ran->first);
    }
}

uint32_t prospects_now(struct fingerprint *results)
{
    struct view v;
    orders_look(&v, true);
    enum client_judgement judgement = (enum client_judgement)client_run.job->judgement;
    uint32_t set = 0;
    if (judgement == CLIENT_LINEARIZABLE && !prospects.too_many && !orders_need_times())
        set = explanations_of(&v);
    if (prospects.too_many)
        set = 0;
    *results = history_of(&v, !set && judgement != CLIENT_SEQUENTIAL);
    mix_steps(results);
    return set;
}

static bool is_subset(const struct set *few, const struct set *many)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < few->count; i++) {
        uint32_t member = prospects.members[few->start + i];
        while (at < many->count && prospects.members[many->start + at] < member)
            at++;
        if (at == many->count || prospects.members[many->start + at] != member)
            return false;
    }
    return true;
}

bool prospects_within(uint32_t few, uint32_t many)
{
    if (few == many || !few || !many)
        return few == many;
    const struct set *a = &prospects.set[few], *b = &prospects.set[many];
    if (a->count >= b->count)
        return false;
    uint64_t key = (uint64_t)few << 32 | many << 1;
    uint64_t *known = &prospects.compared[(key * 0x9e3779b97f4a7c15u >> 40) % COMPARED];
    if ((*known & ~1ull) != key)
        *known = key | is_subset(a, b);
    return *known & 1;
}
