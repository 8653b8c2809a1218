// The threads of the program as the recorder knows them.
//
// A thread's number stays its own; its structure is used again after it has ended. Whoever is not known yet when it first does
// something (a thread that was not made by pthread_create) gets its structure then.
#include "recorder/recorder.h"

#include <pthread.h>

enum { GONE = 1 };   // in place of a handle
enum { ROUNDS = 3 }; // of destructors: one less than the C library goes through

static struct {
    uint32_t lock;
    uint32_t numbers;                   // that were given out
    struct recorder_thread *spare;      // structures that nobody uses
    uint64_t handle[RECORDING_THREADS]; // by number: its pthread_t; 0: not known so far; GONE
    pthread_key_t key;                  // its destructor tells that a thread ends
} threads;

static __thread bool ended __attribute__((tls_model("initial-exec")));

static void threads_lock(void)
{
    while (__atomic_exchange_n(&threads.lock, 1, __ATOMIC_ACQUIRE))
        __builtin_ia32_pause();
}

static void threads_unlock(void)
{
    __atomic_store_n(&threads.lock, 0, __ATOMIC_RELEASE);
}

uint32_t recorder_new_number(void)
{
    uint32_t number = __atomic_fetch_add(&threads.numbers, 1, __ATOMIC_RELAXED);
    if (number >= RECORDING_THREADS)
        recorder_stop(STOP_THREADS);
    return number;
}

static struct recorder_thread *new_structure(void)
{
    threads_lock();
    struct recorder_thread *found = threads.spare;
    if (found)
        threads.spare = found->spare;
    threads_unlock();
    return found ? found : recorder_map(sizeof *found, 0);
}

// The stack belongs to this thread from now on, whoever had it before.
static void tell_stack(struct recorder_thread *me)
{
    pthread_attr_t attributes;
    void *low;
    size_t size;
    if (NATIVE(pthread_getattr_np)(NATIVE(pthread_self)(), &attributes))
        return;
    if (!NATIVE(pthread_attr_getstack)(&attributes, &low, &size)) {
        if (me->number)
            recorder_fresh((uint64_t)(uintptr_t)low, size);
        recorder_sync_by(me, RECORDING_STACK, (uint64_t)(uintptr_t)low, size, 0, NULL);
    }
    NATIVE(pthread_attr_destroy)(&attributes);
}

struct recorder_thread *recorder_attach(uint32_t number, uint32_t creator_plus_1)
{
    if (ended || number >= RECORDING_THREADS)
        return NULL;
    struct recorder_thread *me = new_structure();
    if (!me)
        return NULL;
    recorder_clear(me, sizeof *me);
    me->number = number;
    me->chunk = RECORDER_NOBODY;
    me->busy = INSIDE;
    recorder_take_tag(me, number);
    uint32_t chunks = recorder.ring->chunks;
    if (chunks < RECORDING_CHUNKS)
        __atomic_compare_exchange_n(&recorder.ring->chunks, &chunks, chunks + 1, false, __ATOMIC_RELAXED,
                                    __ATOMIC_RELAXED);
    recorder_know_handle(number, (uint64_t)NATIVE(pthread_self)());
    recorder_self = me;
    NATIVE(pthread_setspecific)(threads.key, me);
    recorder_sync_by(me, RECORDING_BEGIN, 0, creator_plus_1, 0, NULL);
    tell_stack(me);
    recorder_leave(me);
    return me;
}

// The program's own destructors may run after this one: it comes back as often as it can.
static void thread_ends(void *argument)
{
    struct recorder_thread *me = argument;
    if (++me->endings < ROUNDS) {
        NATIVE(pthread_setspecific)(threads.key, me);
        return;
    }
    recorder_sync(RECORDING_END, NULL, 0, 0, NULL);
    me->busy = INSIDE;
    ended = true;
    recorder_self = NULL;
    recorder_hand_over(me);
    threads_lock();
    me->spare = threads.spare;
    threads.spare = me;
    threads_unlock();
}

uint32_t recorder_find(uint64_t handle)
{
    uint32_t numbers = __atomic_load_n(&threads.numbers, __ATOMIC_ACQUIRE);
    for (uint32_t i = numbers < RECORDING_THREADS ? numbers : RECORDING_THREADS; i-- > 0;)
        if (__atomic_load_n(&threads.handle[i], __ATOMIC_RELAXED) == handle)
            return i;
    return RECORDER_NOBODY;
}

// Both the thread and its creator tell, since either may be the first. A handle is used again once its thread is joined, or has ended
// after it was detached.
void recorder_know_handle(uint32_t number, uint64_t handle)
{
    uint32_t other = recorder_find(handle);
    uint64_t unknown = 0;
    if (number >= RECORDING_THREADS || other == number)
        return;
    if (__atomic_compare_exchange_n(&threads.handle[number], &unknown, handle, false, __ATOMIC_RELAXED,
                                    __ATOMIC_RELAXED) &&
        other != RECORDER_NOBODY)
        recorder_forget_handle(other);
}

void recorder_forget_handle(uint32_t number)
{
    __atomic_store_n(&threads.handle[number], GONE, __ATOMIC_RELAXED);
}

static void forked(void)
{
    recorder.on = false;
    recorder_self = NULL;
}

bool recorder_prepare_threads(void)
{
    return !NATIVE(pthread_key_create)(&threads.key, thread_ends) && !pthread_atfork(NULL, NULL, forked);
}
