// Witnesses, and holding executions against them.
//
// Of calls A and B let D(A, B) say that the beginning of A happens before the return of B (in the order of the search's own
// clocks), so that B cannot have returned before A begins. A set of wishes "B returns before A begins" can be granted in one
// of the equivalent executions if and only if happens-before together with the wishes has no circle. A circle goes from
// wish to wish by way of happens-before from the beginning of a call to the return of a call, which is D. So D and the
// results say everything, and executions that have them in common are judged once.
//
// An execution cannot be explained if wishes that can be granted contradict every witness that gives the same results: a
// witness with A in front of B is contradicted by the wish that B returns before A begins. `refute` looks for such wishes.
// For quiescent consistency the wish is a moment: all calls of a set have returned and the others have not begun.
//
// A stuck execution is judged as in Line-Up (Burckhardt et al., PLDI 2010): for each call that waits there has to be an order
// of the calls that returned after which this call has to wait.
#include "worker/orders.h"

#include "base/mem.h"
#include "model/fingerprint.h"
#include "target/threads/engine/engine_room.h"
#include "target/threads/libc/libc_room.h"

enum { WITNESSES = 1 << 17, SEEN_SLOTS = 1 << 16 };

static struct {
    struct witness *witness;
    uint32_t count;
    uint32_t *fitting; // witnesses that give the results
    uint32_t fitting_count;
    struct view *seen; // an open hash table of what was explained; `begun` is never empty
    uint32_t *used;    // slots of it
    uint32_t seen_count;
    uint64_t histories;
    struct fingerprint *outcomes; // results that executions had, as fingerprints: open addressing
    uint32_t *outcomes_used, outcome_count;
    // Wishes under consideration: of A all B that are to return before A begins; or, quiescent, sets.
    calls wished[CLIENT_CALLS];
    calls moment[CLIENT_CALLS];
    uint32_t moments;
} orders;

static calls set_of(uint32_t call)
{
    return (calls)(1u << call);
}

static bool orders_has(calls set, uint32_t call)
{
    return set >> call & 1;
}

static enum client_judgement judgement(void)
{
    return (enum client_judgement)client_run.job->judgement;
}

static const struct client_operation *operation_of(uint32_t call)
{
    static const struct client_operation observing;
    uint32_t operation = client_run.client->call[call].operation;
    return operation == CLIENT_OBSERVE ? &observing : &client_run.job->object.operation[operation];
}

bool orders_need_times(void)
{
    for (uint32_t i = 0; i < client_run.client->calls; i++)
        if (operation_of(i)->may_fail == FAILS_OVERLAPPED || operation_of(i)->rough)
            return true;
    return false;
}

void orders_begin(void)
{
    if (!orders.witness) {
        orders.witness = mem_reserve(WITNESSES * sizeof *orders.witness);
        orders.fitting = mem_reserve(WITNESSES * sizeof *orders.fitting);
        orders.seen = mem_reserve(SEEN_SLOTS * sizeof *orders.seen);
        orders.used = mem_reserve(SEEN_SLOTS * sizeof *orders.used);
        orders.outcomes = mem_reserve(SEEN_SLOTS * sizeof *orders.outcomes);
        orders.outcomes_used = mem_reserve(SEEN_SLOTS * sizeof *orders.outcomes_used);
    }
    while (orders.outcome_count)
        orders.outcomes[orders.outcomes_used[--orders.outcome_count]] = (struct fingerprint){0, 0};
    while (orders.seen_count)
        orders.seen[orders.used[--orders.seen_count]].begun = 0;
    orders.count = 0;
}

uint32_t orders_count(void)
{
    return orders.count;
}

const struct witness *orders_witness(uint32_t number)
{
    return &orders.witness[number];
}

uint32_t orders_outcomes(void)
{
    return orders.outcome_count;
}

uint64_t orders_new_histories(void)
{
    uint64_t count = orders.histories;
    orders.histories = 0;
    return count;
}

// An order in which a call fails does not count. The search of the client finds the same failure.
bool orders_note(void)
{
    const struct client_run *run = &client_run;
    if (orders.count == WITNESSES)
        return false;
    struct witness *w = &orders.witness[orders.count];
    *w = (struct witness){.count = (uint8_t)run->ended, .waits = NOBODY};
    for (uint32_t i = 0; i < run->ended; i++)
        w->order[i] = (uint8_t)run->order[i], w->returned |= set_of((uint32_t)run->order[i]);
    for (uint32_t i = 0; i < run->client->calls; i++) {
        w->result[i] = run->ran[i].result;
        if (run->ran[i].state == CALL_BEGUN)
            w->waits = (uint8_t)i;
        if (run->ran[i].excused && operation_of(i)->may_fail == FAILS_OVERLAPPED && judgement() == CLIENT_LINEARIZABLE)
            w->excused |= set_of(i);
    }
    if (w->count == run->client->calls || w->waits != NOBODY)
        orders.count++;
    return true;
}

// ---- the execution at hand ----

static bool in_thread(uint32_t call)
{
    uint32_t thread = client_run.client->call[call].thread;
    return thread != CLIENT_BEFORE && thread != CLIENT_AFTER;
}

// Those before and after the threads.
static calls calls_around(void)
{
    calls set = 0;
    for (uint32_t i = 0; i < client_run.client->calls; i++)
        set |= in_thread(i) ? 0 : set_of(i);
    return set;
}

// D(a, b); calls before and after the threads have their place in every witness.
static bool begins_before_return(uint32_t a, uint32_t b, bool as_run)
{
    const struct ran_call *first = &client_run.ran[a], *second = &client_run.ran[b];
    if (!in_thread(a) || !in_thread(b) || a == b)
        return true;
    if (as_run)
        return first->called <= second->last;
    if (blocks_used())
        return blocks_know(second->last, first->actor, first->first);
    const struct event *last = &engine.exec.events[second->last];
    return clock_lane(&engine.exec.clocks, last->clock, first->actor) >= first->first;
}

void orders_look(struct view *v, bool as_run)
{
    uint32_t n = client_run.client->calls;
    if (blocks_used() && !as_run)
        blocks_order();
    plain_fill(v, 0, sizeof *v);
    v->waits = NOBODY;
    for (uint32_t i = 0; i < n; i++) {
        if (client_run.ran[i].state == CALL_BEGUN || client_run.ran[i].state == CALL_RETURNED)
            v->begun |= set_of(i);
        if (client_run.ran[i].state != CALL_RETURNED)
            continue;
        v->returned |= set_of(i);
        v->result[i] = client_run.ran[i].result;
    }
    for (uint32_t b = 0; b < n; b++)
        for (uint32_t a = 0; orders_has(v->returned, b) && a < n; a++)
            if (orders_has(v->begun, a) && begins_before_return(a, b, as_run))
                v->begun_before[b] |= set_of(a);
}

// ---- judging ----

static bool is_near(const struct view *v, const struct witness *w, uint32_t call)
{
    if (!orders_has(v->rough, call))
        return false;
    return !orders_has(v->asked, call) ||
           (v->side < 0 ? w->result[call] < v->result[call] : w->result[call] > v->result[call]);
}

static bool same_results(const struct view *v, const struct witness *w)
{
    for (uint32_t i = 0; i < client_run.client->calls; i++)
        if (orders_has(v->returned, i) && v->result[i] != w->result[i] && !is_near(v, w, i))
            return false;
    return true;
}

static void find_fitting(const struct view *v)
{
    orders.fitting_count = 0;
    for (uint32_t i = 0; i < orders.count; i++) {
        const struct witness *w = &orders.witness[i];
        if (w->waits == v->waits && w->returned == v->returned && same_results(v, w))
            orders.fitting[orders.fitting_count++] = i;
    }
}

// Calls of threads that have begun in this layout, and that the other overlaps or may still overlap: neither is to return before
// the other begins.
static calls overlapping(uint32_t call, calls begun)
{
    calls set = 0;
    for (uint32_t b = 0; b < client_run.client->calls; b++)
        if (in_thread(b) && orders_has(begun, b) &&
            client_run.client->call[b].thread != client_run.client->call[call].thread &&
            !orders_has(orders.wished[call], b) && !orders_has(orders.wished[b], call))
            set |= set_of(b);
    return set;
}

// Whether a call that fails in the witness since another overlaps it overlaps none in this layout. What has yet to begin may.
static bool lacks_excuse(const struct view *v, const struct witness *w, calls begun)
{
    for (uint32_t i = 0; i < client_run.client->calls; i++)
        if (orders_has(w->excused, i) && !(v->begun & ~begun) && !overlapping(i, begun))
            return true;
    return false;
}

// Whether every call that fails in the witness since another overlaps it does overlap one in this layout: both have begun.
static bool is_excused(const struct witness *w, calls begun)
{
    for (uint32_t i = 0; i < client_run.client->calls; i++)
        if (orders_has(w->excused, i) && (!orders_has(begun, i) || !overlapping(i, begun)))
            return false;
    return true;
}

// Whether the wishes leave the witness standing.
static bool orders_stands(const struct view *v, const struct witness *w, calls begun)
{
    calls before = 0;
    if (w->excused && lacks_excuse(v, w, begun))
        return false;
    for (uint32_t i = 0; i < w->count; i++) {
        uint32_t a = w->order[i];
        if (orders.wished[a] & ~before) // some B that is to be in front of A comes later
            return false;
        before |= set_of(a);
        for (uint32_t m = 0; m < orders.moments; m++)
            if (in_thread(a) && !orders_has(orders.moment[m], a) && (orders.moment[m] & ~before))
                return false;
    }
    return true;
}

// Whether nothing that is still to come can contradict the witness: a call that has yet to begin is known to begin before
// those behind it return.
static bool cannot_fall(const struct view *v, const struct witness *w, calls begun)
{
    calls open = 0;
    if (w->excused && !is_excused(w, begun))
        return false;
    for (uint32_t i = 0; i < w->count; i++) {
        if (open & ~v->begun_before[w->order[i]])
            return false;
        if (!orders_has(begun, w->order[i]))
            open |= set_of(w->order[i]);
    }
    return true;
}

// The calls of threads that have returned, if every call returns as soon as it may.
static calls orders_soonest(const struct view *v, calls begun)
{
    calls set = 0;
    for (uint32_t b = 0; b < client_run.client->calls; b++)
        if (in_thread(b) && orders_has(begun & v->returned, b) && !(v->begun_before[b] & ~begun))
            set |= set_of(b);
    return set;
}

static bool orders_refute(const struct view *v, calls begun, calls returned);

// `fresh` begin now.
static bool refute_with(const struct view *v, calls begun, calls returned, calls fresh)
{
    uint32_t moments = orders.moments;
    if (judgement() == CLIENT_QUIESCENT && returned && returned == (begun & ~calls_around()))
        orders.moment[orders.moments++] = returned;
    for (uint32_t a = 0; judgement() == CLIENT_LINEARIZABLE && a < CLIENT_CALLS; a++)
        if (orders_has(fresh, a) && in_thread(a))
            orders.wished[a] = returned;
    begun |= fresh;
    if (orders_refute(v, begun, orders_soonest(v, begun)))
        return true;
    for (uint32_t a = 0; a < CLIENT_CALLS; a++)
        if (orders_has(fresh, a))
            orders.wished[a] = 0;
    orders.moments = moments;
    return false;
}

// Whether there are wishes that no witness fulfils; then they are left in `orders`. The execution is laid out from return
// to return: one call is to return next, and only what has to begin before that begins. Any other layout has fewer calls
// that return before others begin, and fewer quiet moments.
static bool orders_refute(const struct view *v, calls begun, calls returned)
{
    calls tried[CLIENT_CALLS];
    uint32_t count = 0;
    bool standing = false;
    for (uint32_t i = 0; i < orders.fitting_count; i++) {
        const struct witness *w = &orders.witness[orders.fitting[i]];
        if (!orders_stands(v, w, begun))
            continue;
        standing = true;
        if (judgement() == CLIENT_SEQUENTIAL || cannot_fall(v, w, begun))
            return false;
    }
    if (!standing)
        return true;
    for (uint32_t b = 0; b < client_run.client->calls; b++) {
        calls fresh = (calls)((v->begun_before[b] | set_of(b)) & ~begun);
        bool known = !in_thread(b) || !orders_has(v->returned & (calls)~returned, b);
        for (uint32_t i = 0; i < count; i++)
            known |= tried[i] == fresh;
        if (known)
            continue;
        tried[count++] = fresh;
        if (refute_with(v, begun, returned, fresh))
            return true;
    }
    return false;
}

static bool explained(const struct view *v)
{
    plain_fill(orders.wished, 0, sizeof orders.wished);
    orders.moments = 0;
    find_fitting(v);
    return !orders_refute(v, calls_around(), 0);
}

// ---- memory of what was explained ----

static uint64_t hash_of(const struct view *v)
{
    const uint64_t *word = (const uint64_t *)v;
    uint64_t hash = 0;
    for (size_t i = 0; i < sizeof *v / sizeof *word; i++) {
        hash = (hash ^ word[i]) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
    }
    return hash;
}

_Static_assert(sizeof(struct view) % sizeof(uint64_t) == 0, "hash_of");

// The slot of the view, or an empty one.
static struct view *slot_of(const struct view *v)
{
    uint32_t at = (uint32_t)hash_of(v) & (SEEN_SLOTS - 1);
    while (orders.seen[at].begun && plain_differ(&orders.seen[at], v, sizeof *v) < sizeof *v)
        at = (at + 1) & (SEEN_SLOTS - 1);
    return &orders.seen[at];
}

static bool orders_explain_view(const struct view *v)
{
    struct view *slot = slot_of(v);
    if (slot->begun)
        return true;
    orders.histories++;
    if (!explained(v))
        return false;
    if (orders.seen_count < SEEN_SLOTS / 2) { // beyond that they are judged again
        *slot = *v;
        orders.used[orders.seen_count++] = (uint32_t)(slot - orders.seen);
    }
    return true;
}

// ---- results ----

// Counts results that no execution of the client had before. (More than there is room for are not counted.)
static void note_outcome(const struct view *v)
{
    struct fingerprint f = {v->returned, v->begun};
    for (uint32_t i = 0; i < client_run.client->calls; i++)
        fingerprint_mix(&f, (uint64_t)v->result[i]);
    f = fingerprint_of(f.low, f.high);
    uint32_t at = (uint32_t)f.low % SEEN_SLOTS;
    for (; orders.outcomes[at].low || orders.outcomes[at].high; at = (at + 1) % SEEN_SLOTS)
        if (orders.outcomes[at].low == f.low && orders.outcomes[at].high == f.high)
            return;
    if (orders.outcome_count == SEEN_SLOTS / 2)
        return;
    orders.outcomes[at] = f;
    orders.outcomes_used[orders.outcome_count++] = at;
}

// ---- an execution in which the wishes are granted ----

// Whether all calls that are to return before A begins have returned.
static bool may_begin(uint32_t event, const uint32_t *done)
{
    const struct event *e = &engine.exec.events[event];
    for (uint32_t a = 0; a < client_run.client->calls; a++) {
        const struct ran_call *ran = &client_run.ran[a];
        if (!in_thread(a) || ran->state == CALL_NOT_BEGUN || ran->actor != e->actor || ran->first != e->index)
            continue;
        calls first = orders.wished[a];
        for (uint32_t m = 0; m < orders.moments; m++)
            first |= orders_has(orders.moment[m], a) ? 0 : orders.moment[m];
        for (uint32_t b = 0; b < client_run.client->calls; b++)
            if (orders_has(first, b) && in_thread(b) &&
                done[client_run.ran[b].actor] < engine.exec.events[client_run.ran[b].last].index)
                return false;
    }
    return true;
}

static bool may_come(uint32_t event, const uint32_t *done)
{
    const struct event *e = &engine.exec.events[event];
    if (done[e->actor] != e->index - 1)
        return false;
    for (uint32_t actor = 0; actor < engine.exec.known; actor++)
        if (actor != e->actor && done[actor] < clock_lane(&engine.exec.clocks, e->clock, actor))
            return false;
    return may_begin(event, done);
}

static void orders_reorder(struct step *steps)
{
    static uint32_t done[MAX_ACTORS]; // events of each actor
    uint32_t count = engine.exec.count;
    plain_fill(done, 0, sizeof done);
    for (uint32_t at = 0; at < count; at++) {
        uint32_t event = 0;
        while (event < count && !may_come(event, done))
            event++;
        require(event < count); // the wishes can be granted
        steps[at] = engine.steps[event];
        done[engine.exec.events[event].actor]++;
    }
}

// For each call that waits there has to be an order, or one if none does.
static bool explain_waits(struct view *v)
{
    calls waiting = v->begun & (calls)~v->returned;
    bool good = waiting || orders_explain_view(v);
    for (uint32_t i = 0; good && i < CLIENT_CALLS; i++) {
        v->waits = i;
        good = !orders_has(waiting, i) || orders_explain_view(v);
    }
    v->waits = NOBODY;
    return good;
}

// Whether a call whose result may be rough lies between what two orders give it: each of them by itself, since such a call
// changes nothing, and fits in wherever it stands. (Intermediate value linearizability: Rinberg and Keidar, DISC 2020.)
static bool lies_between(struct view *v, bool (*explains)(struct view *v))
{
    static const int32_t sides[] = {-1, 1};
    bool good = true;
    for (calls left = v->rough & v->returned; good && left; left &= (calls)(left - 1)) {
        v->asked = (calls)(left & -left);
        for (uint32_t i = 0; good && i < 2; i++) {
            v->side = sides[i];
            good = explains(v);
        }
    }
    return good;
}

static bool all_explained(struct view *v, bool (*explains)(struct view *v))
{
    for (uint32_t i = 0; i < client_run.client->calls; i++)
        v->rough |= operation_of(i)->rough ? set_of(i) : 0;
    return v->rough & v->returned ? lies_between(v, explains) : explains(v);
}

bool orders_explain(bool as_run, struct step *steps)
{
    struct view v;
    orders_look(&v, as_run);
    note_outcome(&v);
    bool good = all_explained(&v, explain_waits);
    if (!good)
        orders_reorder(steps);
    return good;
}

bool orders_wish(uint32_t earlier, uint32_t later)
{
    return orders_has(orders.wished[later], earlier) && in_thread(earlier) && in_thread(later);
}

// ---- a part of an execution ----

// Whether another call was under way at the same time as this one, which has returned.
static bool overlapped(const struct view *v, uint32_t call)
{
    for (uint32_t b = 0; b < client_run.client->calls; b++)
        if (b != call && in_thread(b) && orders_has(v->begun_before[call], b) &&
            (!orders_has(v->returned, b) || orders_has(v->begun_before[b], call)))
            return true;
    return false;
}

// Whether the first `count` calls of the witness explain the part: all that returned are there, and nothing that has not
// begun; what returned before another began comes before it.
static bool prefix_fits(const struct view *v, const struct witness *w, uint32_t count)
{
    calls set = 0;
    for (uint32_t i = 0; i < count; i++)
        set |= set_of(w->order[i]);
    if ((v->returned & ~set) || (set & ~v->begun) || !same_results(v, w))
        return false;
    for (uint32_t i = 0; i < client_run.client->calls; i++)
        if (orders_has(w->excused & set & v->returned, i) && !overlapped(v, i))
            return false;
    for (uint32_t i = 0; judgement() == CLIENT_LINEARIZABLE && i < count; i++)
        for (uint32_t j = i + 1; j < count; j++)
            if (orders_has(v->returned, w->order[j]) && !orders_has(v->begun_before[w->order[j]], w->order[i]))
                return false;
    return true;
}

static bool some_prefix_fits(struct view *v)
{
    for (uint32_t i = 0; i < orders.count; i++)
        for (uint32_t count = 0; count <= orders.witness[i].count; count++)
            if (prefix_fits(v, &orders.witness[i], count))
                return true;
    return false;
}

bool orders_explain_prefix(void)
{
    struct view v;
    orders_look(&v, true);
    if (judgement() == CLIENT_QUIESCENT) // what is still under way may make a quiescent moment impossible
        return true;
    return all_explained(&v, some_prefix_fits);
}
