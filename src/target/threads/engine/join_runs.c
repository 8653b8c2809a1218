#include "target/threads/engine/join_runs.h"

#include "base/mem.h"
#include "target/threads/engine/commons.h"
#include "target/threads/engine/likeness.h"
#include "target/threads/engine/state.h"
#include "target/threads/memory/memory_room.h"

enum { STOPS = 1 << 12, NONE = UINT32_MAX };

// A place where main waits to join a thread.
struct stop {
    struct fingerprint key;
    uint32_t target;
    uint32_t next;   // the stop that it continues to, or NONE
    bool used, ends; // the run ends there
    bool asks;       // … and what the thread returned is asked for
    bool first;      // main has come there otherwise than from another stop
};

static struct {
    struct stop *stops; // open addressing
    uint32_t count;
    uint32_t from; // the stop that main goes on from, or NONE
    size_t log;    // where the log stood then
    bool asks;     // what the thread returned, since then
    bool spoilt;   // a join continued in different ways, or there is no room
    bool learnt;   // how some run ends
    bool told;
} runs;

void join_runs_begin(void)
{
    if (!runs.stops)
        runs.stops = mem_reserve(STOPS * sizeof *runs.stops);
    for (uint32_t i = 0; i < STOPS; i++)
        runs.stops[i].used = false;
    runs.count = 0;
    runs.from = NONE;
    runs.spoilt = runs.learnt = runs.told = false;
}

static bool waits(void)
{
    return engine.exec.actors[0].state == ACTOR_WAITING && engine.threads[0].request.kind == OP_JOIN;
}

// The stop of this key: a new one if there is none yet, NONE if there is no room.
static uint32_t stop_of(const struct fingerprint *key, uint32_t target)
{
    uint32_t at = key->low % STOPS;
    while (runs.stops[at].used && (runs.stops[at].key.low != key->low || runs.stops[at].key.high != key->high))
        at = (at + 1) % STOPS;
    if (runs.stops[at].used)
        return at;
    if (runs.count == STOPS / 2) {
        runs.spoilt = true;
        return NONE;
    }
    runs.count++;
    runs.stops[at] = (struct stop){.key = *key, .target = target, .next = NONE, .used = true};
    return at;
}

// The stop that main waits at.
static uint32_t stop_here(void)
{
    struct fingerprint key = state_of_main();
    uint32_t target = engine.threads[0].request.mutex, at = stop_of(&key, target);
    if (at != NONE && runs.stops[at].target == MAX_ACTORS) // another worker saw it only as the next one
        runs.stops[at].target = target;
    if (at != NONE && runs.stops[at].target != target) // it does not always find the same handle
        runs.spoilt = true;
    return at;
}

// Others must not have seen main go on from there in another way.
static void agree_on(const struct stop *stop)
{
    if (!commons_are_open())
        return;
    struct stop_fact fact = {.key = stop->key,
                             .target = stop->target,
                             .first = stop->first,
                             .ends = stop->ends,
                             .asks = stop->asks,
                             .continues = stop->next != NONE};
    if (fact.continues)
        fact.next = runs.stops[stop->next].key;
    runs.spoilt |= !commons_agree_on_stop(&fact);
}

void join_runs_arrive(void)
{
    uint32_t here = stop_here();
    if (here != NONE && !runs.stops[here].first) {
        runs.stops[here].first = true;
        agree_on(&runs.stops[here]);
    }
    if (runs.spoilt)
        likeness_told_apart();
}

void join_runs_leave(void)
{
    runs.from = stop_here();
    runs.log = (size_t)(engine.undo.top - engine.undo.start);
    engine.joins_in_a_row = true;
    runs.asks = false;
}

void join_runs_ask(void)
{
    runs.asks = true;
    join_runs_break();
}

// Whether main's stack is all that it changed.
static bool changed_nothing_else(void)
{
    const uint8_t *from = engine.undo.start + runs.log, *top = engine.undo.top;
    while (top > from) {
        const struct undo_trailer *trailer = (const struct undo_trailer *)top - 1;
        top = (const uint8_t *)trailer - trailer->stored;
        uint64_t address = trailer->address;
        bool own = address - (uint64_t)(uintptr_t)engine.threads[0].stack_low <
                   (uint64_t)(engine.threads[0].own_stack.top - engine.threads[0].stack_low);
        bool record = address - (uint64_t)(uintptr_t)&engine.threads[0] < sizeof *engine.threads;
        bool joining = address - (uint64_t)(uintptr_t)&engine.strangers <
                       offsetof(struct engine, joining_kept) + 8 - offsetof(struct engine, strangers);
        if (!own && !record && !joining && !race_holds(&engine.races, address))
            return false;
    }
    return true;
}

void join_runs_left(void)
{
    bool continues = engine.joins_in_a_row && waits() && changed_nothing_else();
    engine.joins_in_a_row = false;
    if (runs.from == NONE || engine.abandoned)
        return;
    struct stop *from = &runs.stops[runs.from];
    uint32_t next = continues ? stop_here() : NONE;
    if (continues ? from->ends || (from->next != NONE && from->next != next) : from->next != NONE)
        runs.spoilt = true;
    bool news = from->next != next || from->ends == continues;
    from->next = next;
    from->ends = !continues;
    from->asks = runs.asks;
    if (news)
        agree_on(from);
    runs.learnt |= from->ends;
    if (!continues && waits()) // what it waits for next is another run
        join_runs_arrive();
    else if (runs.spoilt)
        likeness_told_apart();
}

void join_runs_look(const struct thread *t, const struct cell *cell, uint64_t address)
{
    bool own = address - (uint64_t)(uintptr_t)t->stack_low < (uint64_t)(t->stack_top - t->stack_low);
    bool others_write = cell->write >> EPOCH_SHIFT || cell->object || cell->state & ~CELL_SHARED;
    if (!t->actor && (others_write || (!own && !likeness_is_programs(address))))
        join_runs_break();
}

// The last stop of the run, or NONE if it is not known.
static uint32_t run_of(uint32_t stop, uint64_t *awaited)
{
    for (uint32_t i = 0; stop != NONE && i < MAX_ACTORS; i++) {
        uint32_t target = runs.stops[stop].target;
        awaited[target / 64] |= 1ull << (target % 64);
        if (runs.stops[stop].ends)
            return stop;
        stop = runs.stops[stop].next;
    }
    return NONE;
}

bool join_runs_now(struct join_run *run)
{
    *run = (struct join_run){.asked = MAX_ACTORS};
    if (!waits())
        return false;
    uint32_t stop = stop_here(), last = run_of(stop, run->awaited);
    if (last == NONE)
        return false;
    run->last = runs.stops[last].key;
    if (runs.stops[last].asks)
        run->asked = runs.stops[last].target;
    return true;
}

bool join_runs_grown(void)
{
    bool grown = runs.learnt && !runs.told;
    runs.told |= grown;
    return grown;
}

// Whether of each kin all are joined in the run, or none.
static bool is_of_whole_kin(const uint64_t *awaited)
{
    for (uint32_t actor = 1; actor < engine.exec.known; actor++)
        for (uint32_t other = 1; other < actor; other++)
            if (likeness_kin(actor) == likeness_kin(other) &&
                (awaited[actor / 64] >> (actor % 64) & 1) != (awaited[other / 64] >> (other % 64) & 1))
                return false;
    return true;
}

// What others have seen of joins.
static void take_over_stops(void)
{
    for (uint32_t i = 0; i < commons_stops(); i++) {
        const struct stop_fact *fact = commons_stop(i);
        uint32_t at = stop_of(&fact->key, fact->target);
        if (at != NONE && fact->continues && runs.stops[at].next == NONE)
            runs.stops[at].next = stop_of(&fact->next, MAX_ACTORS);
        if (at != NONE) {
            runs.spoilt |= runs.stops[at].target != fact->target && runs.stops[at].target != MAX_ACTORS;
            runs.stops[at].target = fact->target;
            runs.stops[at].first |= fact->first;
            runs.stops[at].ends |= fact->ends;
            runs.stops[at].asks |= fact->asks;
        }
    }
}

bool join_runs_vouch(void)
{
    take_over_stops();
    if (runs.spoilt) {
        engine.learnt.told_apart = true;
        return false;
    }
    for (uint32_t i = 0; i < STOPS; i++) {
        uint64_t awaited[MAX_ACTORS / 64] = {0};
        if (!runs.stops[i].used)
            continue;
        if (run_of(i, awaited) == NONE) {
            engine.learnt.told_apart = true;
            return false;
        }
        if (runs.stops[i].first && !is_of_whole_kin(awaited)) {
            likeness_split(awaited);
            return false;
        }
    }
    return true;
}
