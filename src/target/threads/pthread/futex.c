// Raw futexes. The object is the word itself: comparing it is an atomic read, and a thread that falls asleep has done
// nothing else. Waking always counts as a change, also if nobody sleeps: it depends on every wait.
//
// Which sleepers are woken, if not all, is the search's choice. The kernel promises no order.
#define _GNU_SOURCE
#include <errno.h>
#include <linux/futex.h>
#include <time.h>

#include "target/threads/memory/memory_room.h"
#include "target/threads/engine/engine_room.h"
#include "target/threads/libc/libc_room.h"
#include "target/threads/pthread/surface.h"

// What a call asks for. It stands on the caller's stack; its request points to it.
struct futex_call {
    uint32_t bits;       // sleepers and wakers that have none in common do not concern each other
    uint32_t expected;   // value of the word
    uint32_t wake, move; // at most so many
    uint64_t target;     // requeue: where to, or 0
    bool compares;
    bool differs; // filled in: nothing was done since the word had another value
};

static const struct futex_call *futex_call_of(const struct request *r)
{
    return (const struct futex_call *)(uintptr_t)r->operand;
}

bool futex_would_sleep(const struct thread *t)
{
    return read_memory(t->request.address, 4) == futex_call_of(&t->request)->expected;
}

enum effect do_futex_wait(struct thread *t, struct place *word)
{
    (void)word;
    struct request *r = &t->request;
    enum effect effect = do_load(t, r);
    t->asleep = t->result == futex_call_of(r)->expected;
    t->result = t->asleep ? 0 : EAGAIN;
    return effect;
}

static bool sleeps_at(const struct thread *t, uint64_t word, uint32_t bits)
{
    return t->asleep && t->request.kind == OP_FUTEX_WAIT && t->request.address == word &&
           futex_call_of(&t->request)->bits & bits;
}

static uint32_t sleepers(uint64_t word, uint32_t bits)
{
    uint32_t n = 0;
    for (uint32_t actor = 0; actor < engine.exec.known; actor++)
        n += sleeps_at(&engine.threads[actor], word, bits);
    return n;
}

// In how many ways k of n can be chosen, up to what an event can tell apart.
static uint32_t futex_ways(uint32_t n, uint32_t k)
{
    uint64_t result = 1;
    for (uint32_t i = 1; i <= k && k <= n; i++) {
        result = result * (n - k + i) / i;
        if (result > UINT16_MAX)
            return UINT16_MAX;
    }
    return k <= n ? (uint32_t)result : 0;
}

static bool goes_ahead(const struct request *r)
{
    const struct futex_call *call = futex_call_of(r);
    return !call->compares || read_memory(r->address, 4) == call->expected;
}

uint32_t futex_outcomes(const struct request *r)
{
    const struct futex_call *call = futex_call_of(r);
    uint32_t n = sleepers(r->address, call->bits);
    if (call->wake >= n || !goes_ahead(r))
        return 1;
    uint32_t outcomes = futex_ways(n, call->wake);
    if (outcomes == UINT16_MAX)
        cannot_follow(
            "the program wakes some of so many sleepers of a futex that heddle cannot tell the choices apart");
    return outcomes;
}

// A sleeper goes on, after all that its waker did.
static void let_go_on(struct thread *by, struct thread *sleeper)
{
    struct release passed = {0};
    know_release(&engine.races, &by->know, &passed);
    wake_sleeper(by, sleeper, false);
    sleeper->know.own = 0;
    know_acquire(&engine.races, &sleeper->know, &passed);
}

static void futex_move(struct thread *sleeper, uint64_t word)
{
    undo_save(&engine.undo, sleeper, sizeof *sleeper);
    sleeper->request.address = word;
}

// Wakes the subset that has number `alternative` among those of this size, and moves others.
void futex_wake(struct thread *t, uint32_t alternative)
{
    struct request *r = &t->request;
    struct futex_call *call = (struct futex_call *)(uintptr_t)r->operand;
    uint64_t word = r->address;
    t->result = 0;
    call->differs = !goes_ahead(r);
    if (call->differs)
        return;
    uint32_t left = sleepers(word, call->bits), wake = call->wake < left ? call->wake : left;
    uint32_t moved = 0;
    for (uint32_t actor = 0; actor < engine.exec.known; actor++) {
        struct thread *sleeper = &engine.threads[actor];
        if (!sleeps_at(sleeper, word, call->bits))
            continue;
        uint32_t with = wake ? futex_ways(left - 1, wake - 1) : 0; // subsets that have it
        left--;
        if (alternative < with) {
            let_go_on(t, sleeper);
            wake--;
            t->result++;
            continue;
        }
        alternative -= with;
        if (call->target && moved < call->move) {
            futex_move(sleeper, call->target);
            moved++;
        }
    }
    t->result += moved;
}

static uint32_t word_place(uint64_t word, const void *pc)
{
    engine.probing = pc;
    (void)*(volatile uint32_t *)(uintptr_t)word;
    return place_of_access(word, 4);
}

static void ask_futex(struct thread *t, enum op_kind kind, uint64_t word, struct futex_call *call, const void *pc)
{
    struct request *r = ask(t, kind, word, word_place(word, pc), pc);
    r->size = 4;
    r->operand = (uintptr_t)call;
}

static int sleep_at(struct thread *t, uint64_t word, struct futex_call *call, const void *pc)
{
    ask_futex(t, OP_FUTEX_WAIT, word, call, pc);
    return (int)visible(t);
}

// Whether the time runs out is the search's choice, as with a condition variable.
static int sleep_for_a_time(struct thread *t, uint64_t word, struct futex_call *call, uint64_t until, const void *pc)
{
    if (!search_chooses(t, CHOICE_TIMEOUT, 2, pc)) {
        t->timed = 1;
        int error = sleep_at(t, word, call, pc);
        t->timed = 0;
        return error;
    }
    struct request *r = ask(t, OP_LOAD, word, word_place(word, pc), pc);
    r->size = 4;
    if (visible(t) != call->expected)
        return EAGAIN;
    if (until > t->now)
        t->now = until;
    return ETIMEDOUT;
}

// FUTEX_WAIT has a length, FUTEX_WAIT_BITSET a point in time.
static int wait_command(struct thread *t, const long *a, uint32_t bits, bool absolute, const void *pc)
{
    enum { SECOND = 1000000000 };
    struct futex_call call = {.bits = bits, .expected = (uint32_t)a[3]};
    const struct timespec *time = (const struct timespec *)a[4];
    if (!bits)
        return EINVAL;
    if (!time)
        return sleep_at(t, (uint64_t)a[1], &call, pc);
    access_read(time, sizeof *time, pc);
    if (time->tv_sec < 0 || time->tv_nsec < 0 || time->tv_nsec >= SECOND)
        return EINVAL;
    uint64_t length = (uint64_t)time->tv_sec * SECOND + (uint64_t)time->tv_nsec;
    uint64_t start = a[2] & FUTEX_CLOCK_REALTIME ? realtime_start() * SECOND : 0;
    uint64_t until = absolute ? (length > start ? length - start : 0) : t->now + length;
    return sleep_for_a_time(t, (uint64_t)a[1], &call, until, pc);
}

static long wake_command(struct thread *t, const long *a, uint32_t bits, const void *pc)
{
    if (!bits)
        return -EINVAL;
    int most = (int)a[3];
    struct futex_call call = {.bits = bits, .wake = most > 0 ? (uint32_t)most : 1}; // the kernel wakes one at least
    ask_futex(t, OP_FUTEX_WAKE, (uint64_t)a[1], &call, pc);
    return (long)visible(t);
}

static long requeue_command(struct thread *t, const long *a, bool compares, const void *pc)
{
    int wake = (int)a[3], most = (int)a[4];
    if (wake < 0 || most < 0)
        return -EINVAL;
    if (!engine.alone)
        places_join(t, (uint64_t)a[1], (uint64_t)a[5]);
    struct futex_call call = {.bits = FUTEX_BITSET_MATCH_ANY,
                              .wake = (uint32_t)wake,
                              .move = (uint32_t)most,
                              .target = (uint64_t)a[5],
                              .compares = compares,
                              .expected = (uint32_t)a[6]};
    ask_futex(t, OP_FUTEX_WAKE, (uint64_t)a[1], &call, pc);
    long count = (long)visible(t);
    return call.differs ? -EAGAIN : count;
}

static _Noreturn void refuse_command(struct thread *t, int command)
{
    static const char *const names[] = {[FUTEX_FD] = "futex (FUTEX_FD)",
                                        [FUTEX_WAKE_OP] = "futex (FUTEX_WAKE_OP)",
                                        [FUTEX_LOCK_PI] = "futex (FUTEX_LOCK_PI)",
                                        [FUTEX_UNLOCK_PI] = "futex (FUTEX_UNLOCK_PI)",
                                        [FUTEX_TRYLOCK_PI] = "futex (FUTEX_TRYLOCK_PI)",
                                        [FUTEX_WAIT_REQUEUE_PI] = "futex (FUTEX_WAIT_REQUEUE_PI)",
                                        [FUTEX_CMP_REQUEUE_PI] = "futex (FUTEX_CMP_REQUEUE_PI)"};
    bool known = command >= 0 && command < (int)(sizeof names / sizeof *names) && names[command];
    refuse(t, known ? names[command] : "futex (an unknown command)", "use waiting and waking, or a mutex");
}

// The word cannot be one, or cannot be there.
static int bad_word(uint64_t word)
{
    enum { NEVER_MAPPED = 65536 };
    return word & 3 ? EINVAL : word < NEVER_MAPPED ? EFAULT : 0;
}

long futex(struct thread *t, const long *a, const void *pc)
{
    forked_refuse(t, "uses a futex");
    int command = (int)a[2] & FUTEX_CMD_MASK;
    bool moves = command == FUTEX_REQUEUE || command == FUTEX_CMP_REQUEUE;
    int bad = bad_word((uint64_t)a[1]);
    if (!bad && moves)
        bad = bad_word((uint64_t)a[5]);
    if (bad)
        return -bad;
    switch (command) {
    case FUTEX_WAIT:
        return -wait_command(t, a, FUTEX_BITSET_MATCH_ANY, false, pc);
    case FUTEX_WAIT_BITSET:
        return -wait_command(t, a, (uint32_t)a[6], true, pc);
    case FUTEX_WAKE:
        return wake_command(t, a, FUTEX_BITSET_MATCH_ANY, pc);
    case FUTEX_WAKE_BITSET:
        return wake_command(t, a, (uint32_t)a[6], pc);
    case FUTEX_REQUEUE:
        return requeue_command(t, a, false, pc);
    case FUTEX_CMP_REQUEUE:
        return requeue_command(t, a, true, pc);
    default:
        refuse_command(t, command);
    }
}
