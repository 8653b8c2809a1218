// Creating, joining and detaching threads.
//
// Each call checks its use, then asks for a visible operation; those that need no scheduling point of their own (creating,
// joining a thread that has ended) are done at once.
//
// Many threads: a thread that has created 32 others gives a new one the number of a child that it has joined. All that
// did comes before the new one, as if it were the same thread going on. So nothing about dependence or races is
// different, and which number it is depends only on what the creator did. Where 255 live at once, the thread that would
// create another stops as by a false assumption, and *verified* is not said.
#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "base/fail.h"
#include "target/threads/memory/memory_room.h"
#include "target/threads/library/library_room.h"
#include "target/threads/engine/engine_room.h"
#include "target/threads/libc/libc_room.h"
#include "target/threads/pthread/surface.h"

pthread_t handle_of(uint32_t actor)
{
    return (pthread_t)(uintptr_t)arena_stack_top(actor);
}

static IN_PLACE struct thread *find_thread(pthread_t handle)
{
    uint64_t actor = ((uint64_t)handle - STACKS_START) / STACK_ROOM - 1;
    if (unlikely((uint64_t)handle % STACK_ROOM || actor >= engine.exec.known))
        return NULL;
    return engine.exec.actors[actor].state != ACTOR_ABSENT ? &engine.threads[actor] : NULL;
}

struct thread *thread_of(pthread_t handle)
{
    struct thread *t = find_thread(handle);
    likeness_names(t);
    return t;
}

// A stack as large as the attributes ask for.
static struct arena_stack stack_for(uint32_t actor, const pthread_attr_t *attributes)
{
    size_t size = arena_usual_stack();
    int detached;
    if (attributes)
        pthread_attr_getstacksize(attributes, &size);
    else
        settings_of_new_thread(&size, &detached);
    return arena_stack(actor, size);
}

// A thread that has created many goes on to use the places of those that it has joined: what they did comes before all that a
// new one does, as if it were the same thread. Which place that is follows from what the thread itself has done.
static uint32_t place_of_joined(const struct thread *t)
{
    enum { MANY = 32 };
    const struct actor *actors = engine.exec.actors;
    if (likely(actors[t->actor].children < MANY))
        return MAX_ACTORS;
    for (uint32_t i = 1; i <= MAX_ACTORS; i++) {
        uint32_t actor = (t->replaced + i) % MAX_ACTORS;
        const struct thread *other = &engine.threads[actor];
        if (actor && actor < engine.exec.known && actors[actor].parent == t->actor &&
            actors[actor].state == ACTOR_ENDED && other->ended && is_joined(other) && other->joiner == t->actor)
            return actor;
    }
    return MAX_ACTORS;
}

// A number for the thread's new child.
static uint32_t number_child(struct thread *t)
{
    uint32_t actor = place_of_joined(t);
    if (likely(actor == MAX_ACTORS))
        return exec_create(&engine.exec, t->actor);
    exec_create_again(&engine.exec, t->actor, actor);
    keep_joining();
    engine.joined[actor / 64] &= ~(1ull << (actor % 64));
    t->replaced = actor;
    return actor;
}

// The thread that would create one too many stops, and whoever waits for it is not to blame: what can be done with as many
// as are followed is searched.
static _Noreturn RARE void stop_for_too_many(struct thread *t)
{
    engine.too_many = engine.assumed = true;
    t->assumed = 1;
    engine.running = t;
    thread_stop(t, ACTOR_STOPPED);
}

static void block_as_asked(const struct thread *child, const pthread_attr_t *attributes)
{
    sigset_t blocked;
    if (attributes && !pthread_attr_getsigmask_np(attributes, &blocked))
        signals_set_mask_of_new(child, &blocked);
}

int thread_create(struct thread *t, pthread_t *handle, const pthread_attr_t *attributes, void *(*start)(void *),
                  void *argument, const void *pc)
{
    forked_refuse(t, "creates a thread");
    access_write(handle, sizeof *handle, pc);
    if (attributes)
        access_read(attributes, sizeof *attributes, pc);
    if (!identity_can_be(attributes))
        return EINVAL;
    engine.running = NULL; // heddle's own doing
    uint32_t actor = number_child(t);
    if (actor == MAX_ACTORS)
        stop_for_too_many(t);
    struct arena_stack stack = stack_for(actor, attributes);
    if (!stack.top)
        unsupported(t,
                    "the program creates a thread with a stack of more than 4 GiB, or where there is no room for it");
    int state = PTHREAD_CREATE_JOINABLE;
    size_t size;
    if (attributes)
        pthread_attr_getdetachstate(attributes, &state);
    else
        settings_of_new_thread(&size, &state);
    *handle = handle_of(actor);
    struct thread *child = &engine.threads[actor];
    thread_begin(child, actor, stack, start, argument, t);
    child->created_at = pc;
    child->detached = state == PTHREAD_CREATE_DETACHED;
    engine.knows_tails &= !child->detached; // tail.h
    block_as_asked(child, attributes);
    identity_as_asked(child, attributes);
    engine.running = t;
    journal_note(JOURNAL_CREATE, t, actor);
    keep_joining();
    engine.strangers++;
    update_alone();
    if (engine.record)
        record_silent(t, SILENT_CREATE, handle_of(actor), actor, 0, pc);
    thread_resume(child, &t->sp); // up to its first visible operation
    return 0;
}

PUBLIC int pthread_create(pthread_t *handle, const pthread_attr_t *attributes, void *(*start)(void *), void *argument)
{
    struct thread *t = engine.running;
    int fault = fault_strikes(FAULT_CREATE, "pthread_create", HERE);
    if (unlikely(fault))
        return fault;
    if (t)
        return thread_create(t, handle, attributes, start, argument, HERE);
    early_refuse("creates a thread", HERE);
    return NATIVE(pthread_create)(handle, attributes, start, argument);
}

bool join_ready(struct thread *t, struct place *none)
{
    (void)none;
    return engine.threads[t->request.mutex].ended;
}

enum effect do_join(struct thread *t, struct place *none)
{
    (void)none;
    know_join(&engine.races, &t->know, &engine.threads[t->request.mutex].know);
    journal_note(JOURNAL_JOIN, t, t->request.mutex);
    exec_learn(&engine.exec, t->actor, engine.exec.actors[t->request.mutex].clock);
    times_learn(t, engine.threads[t->request.mutex].now);
    return EFFECT_NONE;
}

// Undefined: the C library takes the handle for an address, if it is not zero.
RARE int thread_unknown(pthread_t handle, const char *does, const void *pc)
{
    misuse(engine.running, BUG_THREAD_MISUSE, 0, pc, "%s 0x%llx, which is no thread", does, (unsigned long long)handle);
    return ESRCH;
}

// Joining a thread that is detached or joined already is undefined; the C library answers with an error.
static RARE int wrong_join(struct thread *t, pthread_t handle, const struct thread *other, const void *pc)
{
    if (!other)
        return thread_unknown(handle, "joins", pc);
    if (other == t)
        return EDEADLK;
    bool second = other->joiner == t->actor;
    if (other->detached)
        misuse(t, BUG_THREAD_MISUSE, 0, pc, "joins a thread that is detached");
    else
        misuse(t, BUG_THREAD_MISUSE, 0, pc,
               second ? "joins a thread for the second time" : "joins a thread that another thread joins");
    return second && !other->detached ? ESRCH : EINVAL;
}

static IN_PLACE int not_to_be_joined(struct thread *t, pthread_t handle, const struct thread *other, const void *pc)
{
    return unlikely(!other || other == t || other->detached || is_joined(other)) ? wrong_join(t, handle, other, pc) : 0;
}

static IN_PLACE void begin_join(const struct thread *t, struct thread *other)
{
    keep_joining();
    engine.joined[other->actor / 64] |= 1ull << (other->actor % 64);
    other->joiner = t->actor;
}

static IN_PLACE void finish_join(struct thread *t, struct thread *other, void **value, const void *pc)
{
    keep_joining();
    engine.strangers--;
    update_alone();
    if (unlikely(engine.record))
        record_silent(t, SILENT_JOINED, 0, other->actor, 0, pc);
    if (value) {
        join_runs_ask();
        access_write(value, sizeof *value, pc);
        *value = other->value;
    }
}

static RARE void await_end(struct thread *t, const struct thread *other, const void *pc)
{
    if (!engine.turns) {
        thread_await_end(t, other, pc);
        return;
    }
    ask(t, OP_JOIN, 0, 0, pc)->mutex = other->actor;
    visible(t);
}

// A program's last threads are joined in each execution, in a row.
static IN_PLACE int pthreads_join_in_place(struct thread *t, pthread_t handle, void **value, const void *pc)
{
    struct thread *other = find_thread(handle);
    int wrong = not_to_be_joined(t, handle, other, pc);
    if (wrong)
        return wrong;
    cancel_point(t, pc);
    begin_join(t, other);
    if (unlikely(!other->ended || engine.alike))
        await_end(t, other, pc);
    know_join(&engine.races, &t->know, &other->know);
    journal_note(JOURNAL_JOIN, t, other->actor);
    exec_join(&engine.exec, t->actor, other->actor);
    times_learn(t, other->now);
    if (unlikely(engine.watches_tail))
        tail_join(other->actor);
    finish_join(t, other, value, pc);
    return 0;
}

int thread_join(struct thread *t, pthread_t handle, void **value, const void *pc)
{
    return pthreads_join_in_place(t, handle, value, pc);
}

PUBLIC int pthread_join(pthread_t handle, void **value)
{
    struct thread *t = engine.running;
    return t ? pthreads_join_in_place(t, handle, value, HERE) : NATIVE(pthread_join)(handle, value);
}

// Unlike a join it could have come before the other's end, which is an event for this reason: it knows it from that.
enum effect do_tryjoin(struct thread *t, struct place *none)
{
    bool ended = join_ready(t, none);
    t->result = ended ? 0 : EBUSY;
    if (ended)
        know_join(&engine.races, &t->know, &engine.threads[t->request.mutex].know);
    return EFFECT_READ;
}

int thread_tryjoin(struct thread *t, pthread_t handle, void **value, const void *pc)
{
    struct thread *other = thread_of(handle);
    int wrong = not_to_be_joined(t, handle, other, pc);
    if (wrong)
        return wrong;
    see_letting_go(t);
    ask(t, OP_TRYJOIN, (uint64_t)handle, place_at((uint64_t)handle), pc)->mutex = other->actor;
    if (visible(t))
        return EBUSY;
    begin_join(t, other);
    finish_join(t, other, value, pc);
    return 0;
}

int thread_detach(pthread_t handle, const void *pc)
{
    struct thread *other = thread_of(handle), *t = engine.running;
    if (!other)
        return thread_unknown(handle, "detaches", pc);
    if (is_joined(other) && other->joiner == t->actor && !other->detached) {
        misuse(t, BUG_THREAD_MISUSE, 0, pc, "detaches a thread that it has joined");
        return ESRCH;
    }
    if (other->detached || is_joined(other))
        return EINVAL;
    undo_save_word(&engine.undo, &other->detached);
    other->detached = 1;
    return 0;
}

PUBLIC int pthread_detach(pthread_t handle)
{
    return engine.running ? thread_detach(handle, HERE) : NATIVE(pthread_detach)(handle);
}

PUBLIC pthread_t pthread_self(void)
{
    likeness_names_itself();
    return engine.running ? handle_of(engine.running->actor) : NATIVE(pthread_self)();
}

PUBLIC int pthread_equal(pthread_t a, pthread_t b)
{
    return a == b;
}
