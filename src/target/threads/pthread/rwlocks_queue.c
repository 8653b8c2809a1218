// Readers–writer locks that prefer writers: of glibc's kinds PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP, and no other.
//
// A writer that has begun to wait keeps new readers out, so beginning to wait is something that others can see. Hence calls
// on such a lock are tried like those on pipes (sleep.h): one that cannot go through is an event as well, after which its
// thread sleeps until somebody makes room. All of them are in one order, and unlocking is never silent.
//
// This does what glibc 2.36 does. A writer first announces itself (QUEUE_COMES), unless a writer had the lock last and
// nobody else has come since: then it has it. Then it waits for its turn, or for a while. Whose turn it is when the last reader
// leaves is settled beforehand (`heir`): it is the writer that announced itself first. What a writer leaves goes to any other
// writer, in front of all readers if one of them waits. Between announcing itself and taking a lock that nobody has, a
// reader may slip in.
#define _GNU_SOURCE
#include "target/threads/pthread/rwlocks.h"

#include <errno.h>

#include "target/threads/engine/engine_room.h"

enum { ANYBODY = UINT16_MAX };

static bool is_queued(const struct request *r)
{
    return r->kind == OP_RDLOCK_QUEUED || r->kind == OP_WRLOCK_QUEUED;
}

bool rwlock_prefers_writers(const pthread_rwlock_t *l)
{
    return l->__data.__flags == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP;
}

static bool may_write(const struct thread *t, const struct place *lock)
{
    if (lock->owner || lock->depth)
        return false;
    if (t->request.operand != QUEUE_COMES)
        return !lock->heir || lock->heir == ANYBODY || lock->heir == t->actor + 1;
    return lock->write_phase && !lock->heir;
}

static bool keeps_readers_out(const struct place *lock)
{
    return lock->owner || (lock->waiting && (lock->depth || lock->write_phase));
}

bool rwqueue_would_sleep(const struct thread *t)
{
    const struct request *r = &t->request;
    const struct place *lock = &engine.places[r->object];
    if (r->kind == OP_RDLOCK_QUEUED)
        return keeps_readers_out(lock);
    return r->operand == QUEUE_WAITS && !may_write(t, lock);
}

enum effect do_rdlock_queued(struct thread *t, struct place *lock)
{
    t->asleep = keeps_readers_out(lock);
    if (t->asleep) {
        t->result = EBUSY;
        return EFFECT_READ;
    }
    do_rdlock(t, lock);
    lock->write_phase = 0;
    t->result = 0;
    return EFFECT_WRITE;
}

static void begin_to_wait(const struct thread *t, struct place *lock)
{
    keep_place(lock);
    lock->waiting++;
    if (!lock->owner && !lock->write_phase && !lock->heir)
        lock->heir = (uint16_t)(t->actor + 1);
}

static void stop_waiting(const struct thread *t, struct place *lock)
{
    keep_place(lock);
    lock->waiting--;
    if (!lock->waiting)
        lock->heir = 0;
    else if (lock->heir == t->actor + 1)
        lock->heir = ANYBODY;
}

enum effect do_wrlock_queued(struct thread *t, struct place *lock)
{
    if (may_write(t, lock)) {
        if (t->request.operand != QUEUE_COMES)
            stop_waiting(t, lock);
        do_wrlock(t, lock);
        lock->heir = 0;
        lock->write_phase = 1;
        return EFFECT_WRITE;
    }
    t->result = EBUSY;
    t->asleep = t->request.operand == QUEUE_WAITS;
    if (t->request.operand == QUEUE_COMES)
        begin_to_wait(t, lock);
    else if (t->request.operand == QUEUE_GIVES_UP)
        stop_waiting(t, lock);
    return t->asleep ? EFFECT_READ : EFFECT_WRITE;
}

void rwqueue_let_go(struct place *lock)
{
    if (!lock->depth && lock->waiting)
        lock->write_phase = 1;
}

void after_queued(struct thread *t, enum effect effect)
{
    if (effect != EFFECT_WRITE)
        return;
    for (uint32_t actor = 0; actor < engine.exec.known; actor++) {
        struct thread *other = &engine.threads[actor];
        if (other->asleep && is_queued(&other->request) && other->request.object == t->request.object &&
            !rwqueue_would_sleep(other))
            wake_sleeper(t, other, true);
    }
}

static int rwlocks_queue_up(struct thread *t, uint32_t number, enum op_kind kind, enum queue_way way, const void *pc)
{
    ask(t, kind, engine.places[number].address, number, pc)->operand = way;
    return (int)visible(t);
}

int rwqueue_read(struct thread *t, uint32_t number, const void *pc)
{
    return rwlocks_queue_up(t, number, OP_RDLOCK_QUEUED, QUEUE_WAITS, pc);
}

int rwqueue_write(struct thread *t, uint32_t number, bool timed, const void *pc)
{
    int answer = rwlocks_queue_up(t, number, OP_WRLOCK_QUEUED, QUEUE_COMES, pc);
    return answer ? rwlocks_queue_up(t, number, OP_WRLOCK_QUEUED, timed ? QUEUE_GIVES_UP : QUEUE_WAITS, pc) : 0;
}
