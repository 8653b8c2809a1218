// Before main: the holder finds what the command shares with it. And the waiting itself.
#define _GNU_SOURCE
#include "holder/holder.h"

#include <dlfcn.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/preloaded.h"
#include "base/raw.h"

struct holder holder;
__thread struct holder_thread holder_self;

static struct {
    uint32_t lock;    // 0: free, 1: taken, 2: and somebody waits for it
    uint32_t changes; // futex: counts what waiting threads may have waited for
    uint64_t waited;  // ns, all threads together
} state;

void *holder_next(const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);
    if (!found) {
        static const char words[] = "heddle: a function that the program calls is not there\n";
        (void)!write(STDERR_FILENO, words, sizeof words - 1);
        _exit(127);
    }
    return found;
}

// ---- waiting ----

static void state_lock(void)
{
    uint32_t unlocked = 0;
    if (__atomic_compare_exchange_n(&state.lock, &unlocked, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
        return;
    while (__atomic_exchange_n(&state.lock, 2, __ATOMIC_ACQUIRE))
        raw_futex(&state.lock, FUTEX_WAIT_PRIVATE, 2, NULL);
}

static void state_unlock(void)
{
    if (__atomic_exchange_n(&state.lock, 0, __ATOMIC_RELEASE) == 2)
        raw_futex(&state.lock, FUTEX_WAKE_PRIVATE, 1, NULL);
}

void holder_tell(void)
{
    __atomic_fetch_add(&state.changes, 1, __ATOMIC_RELEASE);
    raw_futex(&state.changes, FUTEX_WAKE_PRIVATE, INT32_MAX, NULL);
}

static uint64_t now_ns(void)
{
    struct timespec t = {0};
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

// With the lock, which is given back meanwhile.
static void wait_for_others(struct holder_thread *me, const struct hold_visit *visit)
{
    uint64_t from = now_ns(), now = from, until = from + holder.block->hold_ms * 1000000ull;
    if (state.waited > holder.block->held_all_ms * 1000000ull)
        until = from;
    while (!orders_ready(me, visit)) {
        if (now >= until) {
            orders_give_up(visit);
            break;
        }
        uint32_t changes = __atomic_load_n(&state.changes, __ATOMIC_ACQUIRE);
        struct timespec rest = {(time_t)((until - now) / 1000000000), (long)((until - now) % 1000000000)};
        state_unlock();
        raw_futex(&state.changes, FUTEX_WAIT_PRIVATE, changes, &rest);
        state_lock();
        now = now_ns();
    }
    state.waited += now - from;
}

RARE void holder_arrive(uint64_t address, uint64_t size, const void *pc, bool same)
{
    struct holder_thread *me = &holder_self;
    struct hold_visit visit;
    if (me->busy)
        return;
    if (!holder.block) {
        me->pending_count = 0;
        return;
    }
    me->busy = true;
    state_lock();
    if (!same)
        orders_finish_pending(me);
    if (pc && orders_arrive(me, address, size, (uint64_t)(uintptr_t)pc, &visit))
        wait_for_others(me, &visit);
    state_unlock();
    me->busy = false;
}

// ---- the beginning ----

// A child process has one thread, for which nobody comes.
static void forked(void)
{
    holder.block = NULL;
    __builtin_memset(holder.watched, 0, sizeof holder.watched);
    holder_self.pending_count = 0;
}

static __attribute__((constructor(101))) void holder_start(void)
{
    const char *number = getenv(HOLDING_VARIABLE);
    if (!number)
        return;
    int fd = atoi(number);
    struct holding_block *block = mmap(NULL, sizeof *block, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    preloaded_restore_environment(HOLDING_VARIABLE);
    if (block == MAP_FAILED || block->magic != HOLDING_MAGIC || block->size != sizeof *block ||
        pthread_atfork(NULL, NULL, forked))
        return;
    holder.block = block;
    orders_begin();
    block->attached = 1;
}
