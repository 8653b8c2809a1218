// Reading and writing, waiting with a time-out, taking a lock, and functions of the C library whose first argument is corrupted.
#define _GNU_SOURCE
#undef _FORTIFY_SOURCE
#include "injector/injector.h"
#include "injector/injector_trace.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

// How much is transferred.
static size_t transferred(enum injection_way way, size_t size)
{
    if (way == INJECT_SHORT && size > 1) {
        injector_done();
        return 1;
    }
    if (way == INJECT_LARGER) {
        injector_done();
        return size * 2;
    }
    return size;
}

// An error of a stream shows in the stream, too.
static bool stream_fails(enum injection_way way, FILE *file)
{
    enum { GLIBC_ERROR_SEEN = 0x20 };
    if (!injector_fails(way))
        return false;
    file->_flags |= GLIBC_ERROR_SEEN;
    return true;
}

PUBLIC ssize_t read(int fd, void *to, size_t size)
{
    enum injection_way way = injector_asks(CALL_READ, HERE);
    if (injector_fails(way))
        return -1;
    ssize_t n = NEXT(read)(fd, to, transferred(way, size));
    trace_access(to, n > 0 ? (size_t)n : 0, CANONICAL_WRITE_RANGE, HERE);
    return n;
}

PUBLIC ssize_t recv(int fd, void *to, size_t size, int flags)
{
    enum injection_way way = injector_asks(CALL_RECV, HERE);
    return injector_fails(way) ? -1 : NEXT(recv)(fd, to, transferred(way, size), flags);
}

PUBLIC ssize_t write(int fd, const void *from, size_t size)
{
    enum injection_way way = injector_asks(CALL_WRITE, HERE);
    return injector_fails(way) ? -1 : NEXT(write)(fd, from, transferred(way, size));
}

PUBLIC ssize_t send(int fd, const void *from, size_t size, int flags)
{
    enum injection_way way = injector_asks(CALL_SEND, HERE);
    return injector_fails(way) ? -1 : NEXT(send)(fd, from, transferred(way, size), flags);
}

PUBLIC size_t fread(void *restrict to, size_t size, size_t count, FILE *restrict file)
{
    enum injection_way way = injector_asks(CALL_FREAD, HERE);
    if (stream_fails(way, file))
        return 0;
    size_t n = NEXT(fread)(to, size, transferred(way, count), file);
    trace_access(to, n * size, CANONICAL_WRITE_RANGE, HERE);
    return n;
}

PUBLIC size_t fwrite(const void *restrict from, size_t size, size_t count, FILE *restrict file)
{
    enum injection_way way = injector_asks(CALL_FWRITE, HERE);
    return stream_fails(way, file) ? 0 : NEXT(fwrite)(from, size, transferred(way, count), file);
}

PUBLIC char *fgets(char *restrict to, int size, FILE *restrict file)
{
    if (stream_fails(injector_asks(CALL_FGETS, HERE), file))
        return NULL;
    char *text = NEXT(fgets)(to, size, file);
    size_t length = 0;
    while (text && trace_on && text[length])
        length++;
    trace_access(to, text && trace_on ? length + 1 : 0, CANONICAL_WRITE_RANGE, HERE);
    return text;
}

// ---- waiting ----

PUBLIC int pthread_cond_timedwait(pthread_cond_t *restrict c, pthread_mutex_t *restrict m,
                                  const struct timespec *restrict until)
{
    int before = errno;
    if (!injector_fails(injector_asks(CALL_COND_TIMEDWAIT, HERE)))
        return NEXT(pthread_cond_timedwait)(c, m, until);
    errno = before;
    return ETIMEDOUT;
}

PUBLIC int pthread_mutex_timedlock(pthread_mutex_t *restrict m, const struct timespec *restrict until)
{
    int before = errno;
    if (!injector_fails(injector_asks(CALL_MUTEX_TIMEDLOCK, HERE)))
        return NEXT(pthread_mutex_timedlock)(m, until);
    errno = before;
    return ETIMEDOUT;
}

PUBLIC int sem_timedwait(sem_t *restrict s, const struct timespec *restrict until)
{
    return injector_fails(injector_asks(CALL_SEM_TIMEDWAIT, HERE)) ? -1 : NEXT(sem_timedwait)(s, until);
}

PUBLIC int pthread_mutex_lock(pthread_mutex_t *m)
{
    static const struct timespec little = {0, 20000000};
    if (unlikely(injector_asks(CALL_MUTEX_LOCK, HERE) == INJECT_DELAY)) {
        injector_done();
        nanosleep(&little, NULL);
    }
    int error = NEXT(pthread_mutex_lock)(m);
    if (!error)
        trace_event(CANONICAL_LOCK, m, 0, HERE);
    return error;
}

PUBLIC int pthread_mutex_trylock(pthread_mutex_t *m)
{
    int error = NEXT(pthread_mutex_trylock)(m);
    if (!error)
        trace_event(CANONICAL_LOCK, m, 0, HERE);
    return error;
}

PUBLIC int pthread_mutex_unlock(pthread_mutex_t *m)
{
    trace_event(CANONICAL_UNLOCK, m, 0, HERE);
    return NEXT(pthread_mutex_unlock)(m);
}

PUBLIC int pthread_cond_wait(pthread_cond_t *restrict c, pthread_mutex_t *restrict m)
{
    trace_event(CANONICAL_WAIT, c, 0, HERE);
    trace_event(CANONICAL_UNLOCK, m, 0, HERE);
    int error = NEXT(pthread_cond_wait)(c, m);
    trace_event(CANONICAL_LOCK, m, 0, HERE);
    return error;
}

PUBLIC int pthread_cond_signal(pthread_cond_t *c)
{
    trace_event(CANONICAL_SIGNAL, c, 0, HERE);
    return NEXT(pthread_cond_signal)(c);
}

PUBLIC int pthread_cond_broadcast(pthread_cond_t *c)
{
    trace_event(CANONICAL_SIGNAL, c, 0, HERE);
    return NEXT(pthread_cond_broadcast)(c);
}

PUBLIC int pthread_barrier_init(pthread_barrier_t *restrict b, const pthread_barrierattr_t *restrict attributes,
                                unsigned count)
{
    trace_event(CANONICAL_BARRIER, b, CANONICAL_BARRIER_COUNT + count, HERE);
    return NEXT(pthread_barrier_init)(b, attributes, count);
}

// All arrivals of a round come before all departures.
PUBLIC int pthread_barrier_wait(pthread_barrier_t *b)
{
    trace_event(CANONICAL_BARRIER, b, CANONICAL_ARRIVES, HERE);
    int error = NEXT(pthread_barrier_wait)(b);
    trace_event(CANONICAL_BARRIER, b, CANONICAL_LEAVES, HERE);
    return error;
}

PUBLIC int pthread_join(pthread_t handle, void **value)
{
    uint64_t path = unlikely(trace_on) ? trace_handle(handle) : 0;
    int error = NEXT(pthread_join)(handle, value);
    if (!error && trace_on)
        trace_event(CANONICAL_JOIN, NULL, path, HERE);
    return error;
}

// ---- arguments ----
//
// Written out, since they are called before there is anything to look up their next definition by.

static uint64_t corrupted(enum injection_call call, const void *argument, const void *pc)
{
    enum injection_way way = injector_asks(call, pc);
    if (likely(way != INJECT_ARGUMENT))
        return (uint64_t)(uintptr_t)argument;
    injector_done();
    return (uint64_t)(uintptr_t)argument ^ 1ull << injector_bit() % 64;
}

#define CORRUPTED(call, argument) ((void *)(uintptr_t)corrupted(call, argument, HERE))

PUBLIC void *memcpy(void *restrict to, const void *restrict from, size_t size)
{
    void *at = CORRUPTED(CALL_MEMCPY, to);
    if (unlikely(trace_on)) {
        trace_access(from, size, CANONICAL_READ_RANGE, HERE);
        trace_access(at, size, CANONICAL_WRITE_RANGE, HERE);
    }
    __asm__ volatile("rep movsb" : "+D"(at), "+S"(from), "+c"(size) : : "memory");
    return to;
}

PUBLIC void *memset(void *to, int value, size_t size)
{
    void *at = CORRUPTED(CALL_MEMSET, to);
    if (unlikely(trace_on))
        trace_access(at, size, CANONICAL_WRITE_RANGE, HERE);
    __asm__ volatile("rep stosb" : "+D"(at), "+c"(size) : "a"(value) : "memory");
    return to;
}

PUBLIC size_t strlen(const char *text)
{
    const char *at = CORRUPTED(CALL_STRLEN, text), *from = at;
    for (; *at; at++)
        __asm__ volatile("" : "+r"(at));
    return (size_t)(at - from);
}

PUBLIC int strcmp(const char *a, const char *b)
{
    const unsigned char *left = CORRUPTED(CALL_STRCMP, a), *right = (const unsigned char *)b;
    while (*left && *left == *right)
        left++, right++;
    return *left - *right;
}

PUBLIC char *strcpy(char *restrict to, const char *restrict from)
{
    char *at = CORRUPTED(CALL_STRCPY, to);
    do {
        *at = *from;
        __asm__ volatile("" : "+r"(at));
    } while (at++, *from++);
    return to;
}

PUBLIC int atoi(const char *text)
{
    return (int)strtol(CORRUPTED(CALL_ATOI, text), NULL, 10);
}
