#include "worker/ending.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "target/threads/engine/engine_room.h"
#include "target/threads/memory/memory_room.h"
#include "target/threads/pthread/pthread_room.h"

// The actor that keeps `t` from going on, or MAX_ACTORS.
static uint32_t ending_holder(const struct thread *t)
{
    const struct request *r = &t->request;
    if (r->kind == OP_JOIN)
        return r->mutex;
    if (op_table[r->kind].has_owner && engine.places[r->object].owner)
        return engine.places[r->object].owner - 1;
    return MAX_ACTORS;
}

// Whether a thread waits, through others that do, for itself. Who waits for one of a circle is only a bystander.
static bool in_circle(const struct thread *t)
{
    uint32_t next = ending_holder(t);
    for (uint32_t steps = 0; next < MAX_ACTORS && steps < engine.exec.known; steps++) {
        uint32_t state = engine.exec.actors[next].state;
        if (next == t->actor)
            return true;
        if (state != ACTOR_PARKED && state != ACTOR_WAITING)
            return false;
        next = ending_holder(&engine.threads[next]);
    }
    return false;
}

// Where a thread waits. One that spins is parked somewhere in its loop, each time elsewhere: the loop is where it begins.
// (What is no step everywhere does not count for that.)
static uint64_t place_of_wait(const struct thread *t)
{
    const struct exec *x = &engine.exec;
    uint64_t lowest = UINT64_MAX;
    for (uint32_t e = x->actors[t->actor].last; t->spinning_since && e != NO_EVENT && e + 1 >= t->spinning_since;
         e = x->events[e].old_last)
        if (engine.marks[e].pc < lowest && !op_is_minor(x->events[e].kind, false))
            lowest = engine.marks[e].pc;
    return lowest < UINT64_MAX ? lowest : (uint64_t)(uintptr_t)t->request.pc;
}

// What tells one deadlock from another: the places of those in circles, or of all if there is no circle. (Whoever waits
// first may be the same in both.) Who only joins another is a bystander, unless the circle goes through it.
static uint32_t mix_places(void)
{
    uint32_t circles = 0, all = 0;
    static uint64_t base, size;
    if (!size)
        image_program(&base, &size);
    for (uint32_t actor = 0; actor < engine.exec.known; actor++) {
        const struct thread *t = &engine.threads[actor];
        uint32_t state = engine.exec.actors[actor].state;
        if (state != ACTOR_PARKED && state != ACTOR_WAITING)
            continue;
        uint64_t pc = place_of_wait(t);
        pc -= pc - base < size ? base : 0; // a program may be elsewhere in the next process
        uint32_t place = (uint32_t)(pc * 0x9e3779b97f4a7c15u >> 32);
        all += t->request.kind == OP_JOIN ? 0 : place;
        circles += in_circle(t) ? place : 0;
    }
    return circles ? circles : all;
}

// Whoever joins a thread that is stuck is only a bystander, and so is who waits for one of a circle.
static int part_in_it(const struct thread *t)
{
    return in_circle(t) ? 2 : t->request.kind != OP_JOIN;
}

static bool is_stuck(uint32_t actor)
{
    uint32_t state = engine.exec.actors[actor].state;
    return state == ACTOR_PARKED || state == ACTOR_WAITING;
}

// Marks what threads do that take this part in the deadlock: their last event, and the objects that they use.
static uint32_t note_part(int part, bool *objects)
{
    const struct exec *x = &engine.exec;
    uint32_t last = NO_EVENT;
    for (uint32_t actor = 0; actor < x->known; actor++) {
        const struct thread *t = &engine.threads[actor];
        if (!is_stuck(actor) || part_in_it(t) != part)
            continue;
        objects[t->request.object] = true;
        for (uint32_t e = x->actors[actor].last; e != NO_EVENT; e = x->events[e].old_last) {
            objects[x->events[e].object] = true;
            last = last == NO_EVENT || e > last ? e : last;
        }
    }
    return last;
}

// The last event that a deadlock needs. Once a circle is closed nobody can open it. Where there is none, somebody could have
// woken who waits: whoever used an object that they use has to do with it, and so has a call that failed.
static uint32_t last_needed(const struct thread *first)
{
    const struct exec *x = &engine.exec;
    static bool *objects;
    if (!objects)
        objects = mem_reserve(PLACES * sizeof *objects);
    memset(objects, 0, (engine.place_count + 1ull) * sizeof *objects);
    uint32_t last = note_part(part_in_it(first), objects);
    objects[0] = false;
    for (uint32_t e = x->count; part_in_it(first) < 2 && e-- > 0 && (last == NO_EVENT || e > last);)
        if (objects[x->events[e].object] || (x->events[e].kind == OP_FAULT && x->events[e].alternative))
            return e;
    return last;
}

static void add_stuck(struct thread *first, bool spinning, uint32_t waiting)
{
    uint32_t before = engine.failure_count;
    fail(first, spinning ? BUG_LIVELOCK : BUG_DEADLOCK, 0, first->request.pc,
         spinning ? "%u thread%s for ever, at least one of them by spinning" : "%u thread%s for ever", waiting,
         waiting == 1 ? " waits" : "s wait");
    if (engine.failure_count == before)
        return;
    engine.failures[before].number = mix_places();
    if (!spinning)
        engine.failures[before].last = last_needed(first);
}

// Whether some thread stopped spinning though what it waits for has come since: the execution in which it looks later is
// another one.
static bool cut_by_spinning(void)
{
    for (uint32_t actor = 0; actor < engine.exec.known; actor++) {
        const struct thread *t = &engine.threads[actor];
        if (engine.exec.actors[actor].state != ACTOR_PARKED || !t->spinning_since)
            continue;
        if (engine.spin_stops ? spin_over(t) : spin_is_cut(t))
            return true;
    }
    return false;
}

static bool tried_in_vain(uint32_t e)
{
    uint64_t result = engine.marks[e].result;
    return op_tries_lock(engine.exec.events[e].kind) && (result == EBUSY || result == EAGAIN);
}

// Whether the lock was taken before that event by somebody else who goes round in a circle, and lets it go there.
static bool taken_in_passing(uint32_t object, uint32_t before, uint32_t actor)
{
    for (uint32_t e = before; e-- > 0;) {
        const struct event *event = &engine.exec.events[e];
        bool takes = op_table[event->kind].takes || (op_tries_lock(event->kind) && !tried_in_vain(e));
        if (event->object == object && takes)
            return event->actor != actor && engine.marks[e].idle;
    }
    return false;
}

// Whether a try failed in the thread's circle because another thread, in a circle too, held the lock at that moment.
static bool disturbed(const struct thread *t)
{
    const struct exec *x = &engine.exec;
    for (uint32_t e = x->actors[t->actor].last; e != NO_EVENT && e + 1 >= t->spinning_since; e = x->events[e].old_last)
        if (tried_in_vain(e) && taken_in_passing(x->events[e].object, e, t->actor))
            return true;
    return false;
}

// Whether threads only get in each other's way: each lets its locks go and tries again if it cannot have all. They would
// have to do so in step for ever; the executions in which one of them comes through are others.
static bool cut_by_backing_off(void)
{
    const struct exec *x = &engine.exec;
    bool cut = false;
    for (uint32_t actor = 0; actor < x->known; actor++) {
        const struct thread *t = &engine.threads[actor];
        if (x->actors[actor].state != ACTOR_PARKED)
            continue;
        if (in_circle(t))
            return false;
        cut |= t->spinning_since && disturbed(t);
    }
    return cut;
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

// Whether threads go round for ever, as they were meant to, and nobody waits for anything else than their end.
static bool cut_by_going_round(void)
{
    bool round = false;
    for (uint32_t actor = 0; actor < engine.exec.known; actor++) {
        uint32_t state = engine.exec.actors[actor].state;
        const struct thread *t = &engine.threads[actor];
        if (state != ACTOR_PARKED && state != ACTOR_WAITING)
            continue;
        bool aimless = state == ACTOR_PARKED && spin_is_aimless(t);
        if (!aimless && t->request.kind != OP_JOIN)
            return false;
        round |= aimless;
    }
    engine.endless_seen |= round;
    return round;
}

// Whether something failed that stopped a thread: then others may well wait for it. Some failures stop nobody.
static bool somebody_failed(void)
{
    for (uint32_t actor = 0; actor < engine.exec.known; actor++)
        if (engine.exec.actors[actor].state == ACTOR_STOPPED && engine.threads[actor].failed)
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
        if (!first || part_in_it(t) > part_in_it(first))
            first = t;
        spinning |= t->spinning_since != 0;
        waiting++;
        if (engine.record)
            record_blocked(t, ending_holder(t));
    }
    if (waiting && !somebody_failed())
        add_stuck(first, spinning, waiting);
}

enum ending ending_judge(void)
{
    if (engine.over) {
        if (engine.rules.leaks && !somebody_failed())
            heap_report_leaks(image_points_into);
        return ENDING_WHOLE;
    }
    if (engine.assumed || cut_by_spinning() || cut_by_timing() || cut_by_backing_off())
        return engine.failure_count ? ENDING_WHOLE : ENDING_BLOCKED;
    if (cut_by_going_round())
        return engine.failure_count ? ENDING_WHOLE : ENDING_ROUND;
    judge_waiting();
    return ENDING_WHOLE;
}

// Everybody who took a step in the circle goes round; the others wait.
static void mark_round(uint32_t from)
{
    const struct exec *x = &engine.exec;
    for (uint32_t e = x->count; e-- > from;)
        engine.threads[x->events[e].actor].spinning_since = e + 1;
}

enum ending ending_judge_round(uint32_t from)
{
    uint32_t before = engine.failure_count;
    mark_round(from);
    if (engine.assumed || cut_by_timing())
        return before ? ENDING_WHOLE : ENDING_BLOCKED;
    if (cut_by_going_round())
        return before ? ENDING_WHOLE : ENDING_ROUND;
    judge_waiting();
    if (engine.failure_count > before)
        engine.failures[before].round = from + 1;
    return ENDING_WHOLE;
}
