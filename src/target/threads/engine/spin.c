// Spin loops end: a thread that is back at the same instruction with the same stack and registers,
// having changed nothing in between, will do the same again until something it read changes. So it waits for that; or,
// where the search is sure to run the execution in which it comes by only after the change, it stops for good
// (spin_stops): going round once more is no different from not having gone round.
//
// The stack and registers of a parked thread are the bytes between its stack pointer and the top of its stack, which
// every step keeps in the log; changes to memory are in the log as well.
//
// A loop that only looks at plain memory, and gives way now and then (give_way, sched_yield), waits for any step of
// another, and never stops for good: no other execution of the search need show it looking later.
//
// Taking a lock and letting it go counts as nothing, and so does taking from a semaphore and giving back, unless a try call, or
// one that tells what a semaphore holds, can see that at that moment: then two rounds differ from one. The search begins anew, in which nobody stops for good (engine.learnt.rounds_seen), and a thread goes round once
// more when somebody else has done anything to such a lock, if it was only to look.
//
// There two threads that back off for one another could keep each other going for ever, each released by what the other does
// in a circle that is not closed yet. Once a thread has gone round twice and nothing was different (is_tired), what others do
// just as they did before does not release it: from the same state it went round after that already.
//
// A program without hooks (engine.plain) may change and look at memory behind heddle's back. There a circle has to be
// closed twice, and all memory has to be the same both times; and the thread does not wait for something it read, but
// for any step of another. If there is nobody else to wait for it goes on, up to the bound on steps: what it waits for
// is not known, so that nothing comes of it cannot be known either.
//
// At most 12 events of a thread are looked at. If only threads that wait or spin are left at the end, and nothing that
// a spinning one read has changed since, that is a livelock; if it has changed, the execution is *blocked*, and another
// one covers the rest. Threads that look at nothing in their circle, and only take locks and let them go, wait for
// nothing (spin_is_aimless): if nobody waits for more than their end, the execution is *blocked* too. With waiting
// instead of stopping, `optimal` and `dpor` would make every number of rounds a trace of its own.
//
// A loop of plain accesses, or of sched_yield, without visible operations gives way after a while (PLAIN_LIMIT,
// PATIENCE) by an event of its own. A loop with no hook at all is stopped by a timer after five seconds of processor
// time (STUCK_TICKS).
#include <sys/mman.h>

#include "target/threads/engine/engine.h"
#include "target/threads/memory/memory_room.h"
#include "target/threads/descriptor/descriptor_room.h"
#include "target/threads/engine/turn.h"
#include "target/threads/engine/perform.h"
#include "target/threads/engine/spin.h"

enum { LOOK_BACK = 12, STACK_NEAR = 64 << 10 };

static bool same_bytes(const uint8_t *a, const uint8_t *b, size_t size)
{
    size_t i = 0;
    for (; i + 8 <= size; i += 8)
        if (*(const uint64_t *)(a + i) != *(const uint64_t *)(b + i))
            return false;
    for (; i < size; i++)
        if (a[i] != b[i])
            return false;
    return true;
}

// Whether the log's entry says that memory of the program is other now than it was. What may not be read any more is.
static bool differs_now(const struct undo_trailer *trailer, const uint8_t *bytes)
{
    const uint8_t *now = (const uint8_t *)(uintptr_t)trailer->address;
    if (unlikely(trailer->address >= SHADOW_LOW_END)) {
        if (trailer->address < MAPS_START || trailer->address >= MAPS_END)
            return false; // heddle's own
        const struct map *map = maps_above(trailer->address);
        if (!map || map->start > trailer->address || map->gone || !(map->access & PROT_READ))
            return true;
    }
    return !same_bytes(bytes, now, trailer->size);
}

// What lies on the thread's own stack from here on is compared by itself.
static const uint8_t *spin_stack_low(const struct thread *t)
{
    return engine.deep_stacks ? t->stack_low : t->stack_top - STACK_NEAR;
}

// Whether what the thread wrote in the log's bytes from `from` to `until` is still, or again, as it was.
static bool left_as_it_was(const struct thread *t, const uint8_t *from, const uint8_t *until)
{
    while (until > from) {
        const struct undo_trailer *trailer = (const struct undo_trailer *)until - 1;
        const uint8_t *bytes = (const uint8_t *)trailer - trailer->stored;
        uint8_t *now = (uint8_t *)(uintptr_t)trailer->address;
        bool stack = now >= spin_stack_low(t) && now < t->stack_top;
        if (!stack && differs_now(trailer, bytes))
            return false;
        until = bytes;
    }
    return true;
}

static bool is_on_lock(const struct event *event)
{
    return op_table[event->kind].lock || op_table[event->kind].tokens;
}

// Whether the step that has just been taken left plain memory other than it was. The newest writes come first: mostly one
// look is enough. What lies on the thread's stack below its frames is nobody's.
static bool step_changed(const struct thread *t, const struct mark *mark)
{
    const uint8_t *from = engine.undo.start + mark->kept, *until = engine.undo.top;
    while (until > from) {
        const struct undo_trailer *trailer = (const struct undo_trailer *)until - 1;
        const uint8_t *bytes = (const uint8_t *)trailer - trailer->stored;
        const uint8_t *now = (const uint8_t *)(uintptr_t)trailer->address;
        bool dead = now < (const uint8_t *)t->sp && now >= spin_stack_low(t);
        bool frames =
            engine.deep_stacks && trailer->size > sizeof(uint64_t) && now >= t->stack_low && now < t->stack_top;
        if (!dead && !frames && differs_now(trailer, bytes))
            return true;
        until = bytes;
    }
    return false;
}

// Whether the event changed something for certain, so that no circle goes through it. A change of plain memory inside a
// critical section is one, even if a later section takes it back. So are atomic stores: what
// earlier ones released ends with them, and a race may need that more than once. A read-modify-write only adds to it.
static bool surely_changed(const struct event *event, const struct mark *mark)
{
    if (event->kind == OP_SEM_VALUE)
        return false;
    if (event->kind == OP_FUTEX_WAIT && mark->slept) // it may have taken a wake-up from another
        return true;
    return event->effect == EFFECT_ADD || mark->wrote ||
           (event->effect == EFFECT_WRITE && !mark->same && !mark->timers_only && !is_on_lock(event));
}

// Whether none of the thread's events from `since` on changed an object for others, nor wrote memory with another
// value.
static bool changed_nothing(const struct thread *t, uint32_t since)
{
    const struct exec *x = &engine.exec;
    uint64_t timers = 0;
    for (uint32_t e = x->actors[t->actor].last; e != NO_EVENT && e >= since; e = x->events[e].old_last) {
        const struct event *event = &x->events[e];
        timers = engine.marks[e].timers ? engine.marks[e].timers : timers;
        if (surely_changed(event, &engine.marks[e]))
            return false;
        const uint8_t *from = engine.undo.start + engine.marks[e].stack;
        const uint8_t *until = e + 1 < x->count ? engine.undo.start + engine.marks[e + 1].undo : engine.undo.top;
        if (!left_as_it_was(t, from, until))
            return false;
    }
    return !timers || timers == timers_state();
}

// What the event added to a semaphore.
static int spin_added(uint32_t e)
{
    return engine.marks[e].result ? 0 : op_table[engine.exec.events[e].kind].tokens;
}

// Whether the semaphore has again as much in it as it had at event `since`, and never had more in between: then all that the
// circle did to others was to let them wait for a moment, as a lock does.
static bool gave_nothing(const struct thread *t, uint32_t object, uint32_t since)
{
    const struct exec *x = &engine.exec;
    int less = 0;
    for (uint32_t e = x->actors[t->actor].last; e != NO_EVENT && e >= since; e = x->events[e].old_last) {
        if (x->events[e].object == object)
            less += spin_added(e);
        if (less < 0)
            return false;
    }
    return !less;
}

static bool left_semaphores(const struct thread *t, uint32_t since)
{
    const struct exec *x = &engine.exec;
    for (uint32_t e = x->actors[t->actor].last; e != NO_EVENT && e >= since; e = x->events[e].old_last)
        if (spin_added(e) && !gave_nothing(t, x->events[e].object, since))
            return false;
    return true;
}

// Whether the thread holds a lock that it took in the circle. It would let it go there, too; if it stopped now, others
// would wait for that.
static bool holds_meanwhile(const struct thread *t, uint32_t since)
{
    const struct exec *x = &engine.exec;
    for (uint32_t e = x->actors[t->actor].last; e != NO_EVENT && e >= since; e = x->events[e].old_last) {
        const struct place *place = &engine.places[x->events[e].object];
        enum op_lock lock = op_table[x->events[e].kind].lock;
        bool alone = lock == LOCK_ALONE && place->owner == t->actor + 1;
        bool shared = lock == LOCK_SHARED && place->waiters[t->actor / 64] >> (t->actor % 64) & 1;
        if (alone || shared)
            return true;
    }
    return false;
}

// The number of rounds matters: strategies that let a thread go round once have to begin anew.
static void rounds_matter(struct thread *t)
{
    if (!engine.spin_stops || engine.learnt.rounds_seen)
        return;
    engine.learnt.rounds_seen = true;
    search_again(t);
}

void spin_tried(struct thread *t, uint32_t lock)
{
    engine.places[lock].tried |= !engine.alone;
    if (unlikely(engine.places[lock].polled && engine.places[lock].tried))
        rounds_matter(t);
}

// From event `since` on the thread went round in a circle: what it did counts as nothing.
static void mark_idle(const struct thread *t, uint32_t since)
{
    const struct exec *x = &engine.exec;
    bool seen = false;
    for (uint32_t e = x->actors[t->actor].last; e != NO_EVENT && e >= since; e = x->events[e].old_last) {
        if (!engine.marks[e].idle) // going back to within the circle opens it again
            undo_save(&engine.undo, &engine.marks[e].idle, sizeof engine.marks[e].idle);
        engine.marks[e].idle = true;
        if (x->events[e].effect != EFFECT_WRITE || !is_on_lock(&x->events[e]))
            continue;
        engine.places[x->events[e].object].polled = true;
        seen |= engine.places[x->events[e].object].tried;
    }
    if (unlikely(seen))
        rounds_matter(NULL);
}

// Whether all memory is as it was when the thread was at the beginning of event `e`. That is known only if it seemed to
// go in a circle there already.
static bool memory_as_at(struct thread *t, uint32_t e)
{
    t->memory = image_memory();
    return t->memory == engine.marks[e].memory;
}

static bool wants_the_same(const struct request *now, const struct request *then)
{
    enum op_request request = op_table[now->kind].request;
    bool expects = request == REQUEST_EXPECTED, stores = request == REQUEST_OPERAND || expects;
    return now->object == then->object && now->address == then->address && (!stores || now->operand == then->operand) &&
           (!expects || now->expected == then->expected);
}

// Whether the thread asks for what it asked for at the beginning of event `e`: where an operation's address is nowhere but in
// the request, a walk along a list would look like a circle.
static bool asks_the_same(const struct thread *t, const struct mark *mark)
{
    return wants_the_same(&t->request, mark_request(mark));
}

static uint64_t hash_stack(const struct thread *t)
{
    uint64_t hash = 1;
    for (const uint64_t *word = t->sp; (const uint8_t *)word < t->stack_top; word++)
        hash = (hash ^ *word) * 0x9e3779b97f4a7c15u, hash ^= hash >> 29;
    return hash;
}

// Worth the while only if it was here before, or every step of a deep recursion would take time for all of the stack.
uint64_t spin_stack(const struct thread *t)
{
    const struct exec *x = &engine.exec;
    uint32_t e = x->actors[t->actor].last;
    for (int i = 0; i < LOOK_BACK && e != NO_EVENT && e >= t->born; i++, e = x->events[e].old_last)
        if (engine.marks[e].sp == t->sp)
            return hash_stack(t) | 1;
    return 0;
}

// The part of the stack that was not kept with `then` is the same `now`, when the log was so long.
static bool same_deep_stack(const struct thread *t, const struct mark *then, size_t now)
{
    return !engine.deep_stacks || deep_stacks_same(t, (const uint8_t *)then->sp + then->size, then->kept, now);
}

static bool same_stack(const struct thread *t, const struct mark *mark)
{
    if (unlikely(mark->size > LARGE_STACK))
        return mark->large_stack && mark->large_stack == (hash_stack(t) | 1);
    return same_bytes(engine.undo.start + mark->stack, (const uint8_t *)t->sp, mark->size) &&
           same_deep_stack(t, mark, undo_mark(&engine.undo));
}

static bool same_kept_stack(const struct thread *t, const struct mark *now, const struct mark *then)
{
    if (now->sp != then->sp || now->size != then->size)
        return false;
    if (unlikely(now->size > LARGE_STACK))
        return now->large_stack && now->large_stack == then->large_stack;
    return same_bytes(engine.undo.start + now->stack, engine.undo.start + then->stack, now->size) &&
           same_deep_stack(t, then, now->kept);
}

void spin_look(struct thread *t)
{
    const struct exec *x = &engine.exec;
    uint32_t e = x->actors[t->actor].last;
    engine.marks[e].wrote = unlikely(t->wrote) && is_on_lock(&x->events[e]) && step_changed(t, &engine.marks[e]);
    engine.marks[e].looked = t->plain != 0;
    t->memory = 0;
    if (!op_table[t->request.kind].may_spin || engine.alone || engine.circles)
        return;
    uint64_t pc = (uint64_t)(uintptr_t)t->request.pc;
    for (int i = 0; i < LOOK_BACK && e != NO_EVENT && e >= t->born; i++, e = x->events[e].old_last) {
        const struct mark *mark = &engine.marks[e];
        if (surely_changed(&x->events[e], mark))
            return;
        if (x->events[e].kind != t->request.kind || mark->pc != pc || mark->sp != t->sp || !asks_the_same(t, mark) ||
            !same_stack(t, mark))
            continue;
        if (changed_nothing(t, e) && left_semaphores(t, e) && !holds_meanwhile(t, e) &&
            (!engine.plain || memory_as_at(t, e))) {
            if (unlikely(timers_go_round(t, e)))
                return;
            t->spinning_since = e + 1;
            mark_idle(t, e);
            engine.exec.actors[t->actor].pending.idle = engine.spin_stops;
        }
        return;
    }
}

// Whether the event's thread had done this before, from the same state and with the same outcome, not long ago.
static bool find_repeated(uint32_t event)
{
    const struct exec *x = &engine.exec;
    const struct event *now = &x->events[event];
    const struct mark *mark = &engine.marks[event];
    uint32_t e = now->old_last, born = engine.threads[now->actor].born;
    for (int i = 0; i < LOOK_BACK && e != NO_EVENT && e >= born; i++, e = x->events[e].old_last) {
        const struct mark *then = &engine.marks[e];
        if (x->events[e].kind == now->kind && x->events[e].effect == now->effect && then->pc == mark->pc &&
            then->result == mark->result && wants_the_same(mark_request(mark), mark_request(then)) &&
            same_kept_stack(&engine.threads[now->actor], mark, then))
            return true;
    }
    return false;
}

// That stays as it is: threads that wait long ask again and again what others did meanwhile.
static bool spin_repeats(uint32_t event)
{
    struct mark *mark = &engine.marks[event];
    if (mark->repeats == REPEATS_UNKNOWN)
        mark->repeats = find_repeated(event) ? REPEATS : REPEATS_NOTHING;
    return mark->repeats == REPEATS;
}

// Whether the thread has gone round in its circle before, and nothing was different.
static bool is_tired(const struct thread *t)
{
    const struct exec *x = &engine.exec;
    for (uint32_t e = x->actors[t->actor].last; e != NO_EVENT && e + 1 >= t->spinning_since; e = x->events[e].old_last)
        if (!spin_repeats(e))
            return false;
    return true;
}

// Whether what the event did counts for a thread that waits in a circle.
static bool spin_counts(uint32_t event, bool tired)
{
    return !engine.marks[event].idle && !(tired && spin_repeats(event));
}

static bool spin_changed(uint32_t event, bool tired)
{
    return engine.exec.events[event].effect != EFFECT_READ && !engine.marks[event].same && spin_counts(event, tired);
}

// Whether an event after `e` changed the object; what spinning threads did to it does not count.
static bool was_changed(const struct object *o, uint32_t e, bool tired)
{
    uint32_t event = o->effect == EFFECT_NONE ? NO_EVENT : o->group;
    while (event != NO_EVENT && event > e && !spin_changed(event, tired))
        event = engine.exec.events[event].conflicts;
    return event != NO_EVENT && event > e;
}

// Whether another thread has done anything to the object since event `e`, other than in a circle of its own.
static bool was_used(const struct object *o, uint32_t e, bool tired)
{
    const struct exec *x = &engine.exec;
    uint32_t newest = o->effect == EFFECT_NONE ? NO_EVENT : o->group;
    while (newest != NO_EVENT && newest > e) {
        const struct event *event = &x->events[newest];
        if (event->actor != x->events[e].actor && spin_counts(newest, tired))
            return true;
        newest = event->old_effect == EFFECT_NONE ? NO_EVENT : event->old_group;
    }
    return false;
}

static bool somebody_else_runs(const struct thread *t)
{
    for (uint32_t actor = 0; actor < engine.exec.known; actor++) {
        struct thread *other = &engine.threads[actor];
        if (other != t && exec_is_parked(&engine.exec, actor) && !other->spinning_since && request_ready(other))
            return true;
    }
    return false;
}

// Whether all it did in its circle was to give way: then it looks at plain memory, and nothing says at which.
static bool only_gave_way(const struct thread *t)
{
    const struct exec *x = &engine.exec;
    for (uint32_t e = x->actors[t->actor].last; e != NO_EVENT && e + 1 >= t->spinning_since; e = x->events[e].old_last)
        if (x->events[e].kind != OP_YIELD)
            return false;
    return true;
}

// Whether another thread has done something since, other than going round in a circle as well.
static bool others_went_on(const struct thread *t)
{
    const struct exec *x = &engine.exec;
    for (uint32_t e = x->actors[t->actor].last + 1; e < x->count; e++)
        if (x->events[e].actor != t->actor && !engine.marks[e].idle)
            return true;
    return false;
}

// Whether something that the thread looked at in its circle has changed since, or somebody used a lock in which the thread can be
// seen.
static bool something_new(const struct thread *t, bool tired)
{
    const struct exec *x = &engine.exec;
    uint32_t since = t->spinning_since - 1;
    for (uint32_t e = x->actors[t->actor].last; e != NO_EVENT && e >= since; e = x->events[e].old_last) {
        const struct event *event = &x->events[e];
        if (event->effect == EFFECT_NONE)
            continue;
        if (was_changed(&x->objects[event->object], e, tired))
            return true;
        if (engine.places[event->object].tried && is_on_lock(event) && was_used(&x->objects[event->object], e, tired))
            return true;
    }
    return false;
}

bool spin_over(const struct thread *t)
{
    const struct exec *x = &engine.exec;
    if (engine.plain)
        return x->actors[t->actor].last + 1 < x->count || !somebody_else_runs(t);
    if (only_gave_way(t))
        return others_went_on(t);
    return something_new(t, false) && (engine.spin_stops || !is_tired(t) || something_new(t, true));
}

bool spin_is_cut(const struct thread *t)
{
    return !engine.plain && !only_gave_way(t) && something_new(t, false) && !spin_over(t);
}

bool spin_holds(const struct thread *t)
{
    return (engine.spin_stops && !only_gave_way(t)) || !spin_over(t);
}

// Whether the thread looks at nothing in its circle, so that nothing could ever end it: it only takes locks and lets them
// go, as a philosopher does who eats for ever. That is how the program was meant.
bool spin_is_aimless(const struct thread *t)
{
    const struct exec *x = &engine.exec;
    for (uint32_t e = x->actors[t->actor].last; e != NO_EVENT && e + 1 >= t->spinning_since;
         e = x->events[e].old_last) {
        enum op_kind kind = x->events[e].kind;
        bool blind = kind == OP_YIELD || (is_on_lock(&x->events[e]) && !op_tries_lock(kind));
        if (!blind)
            return false;
        if (engine.marks[e].looked)
            return false;
    }
    return t->spinning_since != 0;
}
