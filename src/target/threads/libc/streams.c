// Streams as objects that threads share: their locks (flockfile), and that a stream is gone once it was closed.
//
// Each use of a stream takes its lock for a moment. That is an event in programs that lock streams for longer, and there
// always, or a use before the first lock would seem to commute with it.
#define _GNU_SOURCE
#include <stdio.h>

#include "target/threads/engine/engine_room.h"
#include "target/threads/library/library_room.h"
#include "target/threads/libc/native.h"
#include "target/threads/libc/output.h"
#include "target/threads/libc/public.h"
#include "target/threads/pthread/pthread_room.h"

enum { LOCKS = 1024, CLOSED = 256 };

// Found by the stream's address, so that a stream has the same lock in every execution.
static PROGRAM_STATE struct stream_lock {
    FILE *stream;
    pthread_mutex_t mutex;
} locks[LOCKS] = {{0}};

static PROGRAM_STATE FILE *closed[CLOSED] = {0};
static PROGRAM_STATE uint64_t closed_count = 0;

static struct stream_lock *place_for(FILE *stream)
{
    size_t at = (size_t)((uintptr_t)stream * 0x9e3779b97f4a7c15u >> 50) % LOCKS;
    for (size_t tries = 0; locks[at].stream && locks[at].stream != stream && tries < LOCKS; tries++)
        at = (at + 1) % LOCKS;
    return &locks[at];
}

static pthread_mutex_t *lock_of(struct thread *t, FILE *stream)
{
    struct stream_lock *lock = place_for(stream);
    if (lock->stream == stream)
        return &lock->mutex;
    if (lock->stream)
        unsupported(t, "the program locks more streams than heddle keeps track of (1,024)");
    undo_save(&engine.undo, lock, sizeof *lock);
    lock->stream = stream;
    lock->mutex = (pthread_mutex_t)PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
    return &lock->mutex;
}

static bool is_closed(const FILE *stream)
{
    for (uint64_t i = 0; i < closed_count && !engine.rules.reuse; i++)
        if (closed[i] == stream)
            return true;
    return false;
}

// Whatever a stream is used for begins here.
static void must_be_open(struct thread *t, FILE *stream, const void *pc)
{
    if (stream == stdin)
        input_note_read(stream->_fileno);
    if (is_closed(stream))
        fail_and_stop(t, BUG_USE_AFTER_FREE, (uint64_t)(uintptr_t)stream, pc, "uses a stream that was closed");
}

static void pass(struct thread *t, pthread_mutex_t *mutex, const void *pc)
{
    mutex_lock(t, mutex, pc);
    mutex_unlock(t, mutex, pc);
}

void stream_look_unlocked(FILE *stream, const void *pc)
{
    must_be_open(engine.running, stream, pc);
}

void stream_look(FILE *stream, const void *pc)
{
    must_be_open(engine.running, stream, pc);
    if (imported.stream_locks && !engine.alone)
        pass(engine.running, lock_of(engine.running, stream), pc);
}

void stream_use_unlocked(FILE *stream, const void *pc)
{
    cancel_point_if_it_likes(engine.running, pc);
    stream_look_unlocked(stream, pc);
}

void stream_use(FILE *stream, const void *pc)
{
    cancel_point_if_it_likes(engine.running, pc);
    stream_look(stream, pc);
}

void stream_use_all(const void *pc)
{
    cancel_point_if_it_likes(engine.running, pc);
    for (uint32_t i = 0; i < LOCKS && imported.stream_locks && !engine.alone; i++)
        if (locks[i].stream)
            pass(engine.running, &locks[i].mutex, pc);
}

void stream_close(FILE *stream, const void *pc)
{
    stream_use(stream, pc);
    if (closed_count == CLOSED)
        return;
    undo_save_word(&engine.undo, &closed_count);
    undo_save_word(&engine.undo, &closed[closed_count]);
    closed[closed_count++] = stream;
}

PUBLIC void flockfile(FILE *stream)
{
    struct thread *t = engine.running;
    if (!t) {
        NATIVE(flockfile)(stream);
        return;
    }
    must_be_open(t, stream, HERE);
    mutex_lock(t, lock_of(t, stream), HERE);
}

PUBLIC int ftrylockfile(FILE *stream)
{
    struct thread *t = engine.running;
    if (!t)
        return NATIVE(ftrylockfile)(stream);
    must_be_open(t, stream, HERE);
    return mutex_try(t, lock_of(t, stream), HERE) ? -1 : 0;
}

PUBLIC void funlockfile(FILE *stream)
{
    struct thread *t = engine.running;
    if (!t) {
        NATIVE(funlockfile)(stream);
        return;
    }
    mutex_unlock(t, lock_of(t, stream), HERE);
}
