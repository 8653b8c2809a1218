#include "worker/ending.h"

#include <stdio.h>

#include "target/threads/engine.h"
#include "target/threads/image.h"
#include "target/threads/surface.h"

// The actor that keeps `t` from going on, or MAX_ACTORS.
static uint32_t holder(const struct thread *t)
{
    const struct request *r = &t->request;
    if (r->kind == OP_JOIN)
        return r->mutex;
    if ((r->kind == OP_LOCK || r->kind == OP_ONCE || r->kind == OP_RDLOCK || r->kind == OP_WRLOCK) && engine.places[r->object].owner)
        return engine.places[r->object].owner - 1;
    return MAX_ACTORS;
}

// Whether a thread waits, through others that do, for itself. Who waits for one of a circle is only a bystander.
static bool in_circle(const struct thread *t)
{
    uint32_t next = holder(t);
    for (uint32_t steps = 0; next < MAX_ACTORS && steps < engine.exec.known; steps++) {
        uint32_t state = engine.exec.actors[next].state;
        if (next == t->actor)
            return true;
        if (state != ACTOR_PARKED && state != ACTOR_WAITING)
            return false;
        next = holder(&engine.threads[next]);
    }
    return false;
}

// What tells one deadlock from another: the places of those in circles, or of all if there is no circle. (Whoever waits
// first may be the same in both.)
static uint32_t mix_places(void)
{
    uint32_t circles = 0, all = 0;
    for (uint32_t actor = 0; actor < engine.exec.known; actor++) {
        const struct thread *t = &engine.threads[actor];
        uint32_t state = engine.exec.actors[actor].state;
        if ((state != ACTOR_PARKED && state != ACTOR_WAITING) || t->request.kind == OP_JOIN)
            continue;
        uint32_t place = (uint32_t)((uint64_t)(uintptr_t)t->request.pc * 0x9e3779b97f4a7c15u >> 32);
        all += place;
        circles += in_circle(t) ? place : 0;
    }
    return circles ? circles : all;
}

static void add_stuck(struct thread *first, bool spinning, uint32_t waiting)
{
    uint32_t before = engine.failure_count;
    fail(first, spinning ? BUG_LIVELOCK : BUG_DEADLOCK, 0, first->request.pc,
         spinning ? "%u thread%s for ever, at least one of them by spinning" : "%u thread%s for ever",
         waiting, waiting == 1 ? " waits" : "s wait");
    if (engine.failure_count > before)
        engine.failures[before].number = mix_places();
}

// Whether some thread stopped spinning though what it waits for has come since: the execution in which it looks later is
// another one.
static bool cut_by_spinning(void)
{
    for (uint32_t actor = 0; actor < engine.exec.known; actor++) {
        const struct thread *t = &engine.threads[actor];
        if (engine.exec.actors[actor].state == ACTOR_PARKED && t->spinning_since && spin_over(t))
            return true;
    }
    return false;
}

// Whether some thread waits with a time-out, or was asked to end: it does not wait for ever, and the execution in which its
// time runs out, or it ends, is another one.
static bool cut_by_timing(void)
{
    for (uint32_t actor = 0; actor < engine.exec.known; actor++) {
        uint32_t state = engine.exec.actors[actor].state;
        const struct thread *t = &engine.threads[actor];
        if ((state == ACTOR_WAITING && t->timed) ||
            ((state == ACTOR_WAITING || state == ACTOR_PARKED) && cancel_ends_wait(t)))
            return true;
    }
    return false;
}

// Whether something failed that stopped a thread: then others may well wait for it. A race stops nobody.
static bool somebody_failed(void)
{
    for (uint32_t i = 0; i < engine.failure_count; i++)
        if (engine.failures[i].kind != BUG_RACE)
            return true;
    return false;
}

static void judge_waiting(void)
{
    const struct exec *x = &engine.exec;
    struct thread *first = NULL;
    bool spinning = false;
    uint32_t waiting = 0;
    for (uint32_t actor = 0; actor < x->known; actor++) {
        uint32_t state = x->actors[actor].state;
        if (state != ACTOR_PARKED && state != ACTOR_WAITING)
            continue;
        struct thread *t = &engine.threads[actor];
        // whoever joins a thread that is stuck is only a bystander
        if (!first || (first->request.kind == OP_JOIN && t->request.kind != OP_JOIN))
            first = t;
        spinning |= t->spinning_since != 0;
        waiting++;
        if (engine.record)
            record_blocked(t, holder(t));
    }
    if (waiting && !somebody_failed())
        add_stuck(first, spinning, waiting);
}

bool ending_judge(void)
{
    if (engine.over) {
        if (engine.leaks && !somebody_failed())
            heap_report_leaks(image_points_into);
        return false;
    }
    if (engine.assumed || (engine.spin_stops && cut_by_spinning()) || cut_by_timing())
        return !engine.failure_count;
    judge_waiting();
    return false;
}
