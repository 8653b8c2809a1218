#include "target/threads/engine/real.h"

#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/raw.h"
#include "target/threads/memory/memory_room.h"
#include "target/threads/engine/fiber.h"
#include "target/threads/libc/libc_room.h"
#include "target/threads/engine/stops.h"
#include "target/threads/engine/failure.h"

enum { STARTING = MAX_ACTORS };

static struct {
    uint32_t
        asleep[MAX_ACTORS + 1]; // futexes: 0 if the thread may run; the last one: once a new kernel thread is there
    void *host_sp;              // where the engine's host stands on its own stack
    struct thread *next;        // whom the host is to hand over to
    void (*errand)(void *);     // what a resumed thread is to do instead of going on
    void *argument;
} real;

// Neither the C library's syscall nor a function: no frame between a sleeping thread's and what it was called for.
#define FUTEX(futex, what, value)                                                                                      \
    do {                                                                                                               \
        long result_ = SYS_futex;                                                                                      \
        register void *timeout_ __asm__("r10") = NULL;                                                                 \
        __asm__ volatile("syscall"                                                                                     \
                         : "+a"(result_)                                                                               \
                         : "D"(futex), "S"((long)(what)), "d"((long)(value)), "r"(timeout_)                            \
                         : "rcx", "r11", "memory");                                                                    \
    } while (0)

#define WAKE(futex)                                                                                                    \
    do {                                                                                                               \
        __atomic_store_n(futex, 0, __ATOMIC_RELEASE);                                                                  \
        FUTEX(futex, FUTEX_WAKE, 1);                                                                                   \
    } while (0)

#define SLEEP(futex)                                                                                                   \
    while (__atomic_load_n(futex, __ATOMIC_ACQUIRE))                                                                   \
    FUTEX(futex, FUTEX_WAIT, 1)

// Wakes another and sleeps. From the waking on, nothing that others change may be looked at.
//
// Its name and its arguments stand in the debugger's list of threads: what the thread waits to do, and to what.
static __attribute__((noinline)) void sleeping(uint32_t thread, const char *operation, const void *object,
                                               uint32_t *next)
{
    real.asleep[thread] = 1;
    WAKE(next);
    SLEEP(&real.asleep[thread]);
    __asm__ volatile("" : : "r"(thread), "r"(operation), "r"(object)); // so they are still there
}

static void *kernel_thread(void *thread)
{
    struct thread *t = thread;
    void *native_sp;
    failure_alternate_stack();
    NATIVE(prctl)(PR_SET_NAME, stops_thread_name(t));
    sleeping(t->actor, "start", NULL, &real.asleep[STARTING]);
    fiber_switch(&native_sp, t->sp);
    return NULL;
}

void real_begin(struct thread *t)
{
    if (!t->actor) {
        NATIVE(prctl)(PR_SET_NAME, stops_thread_name(t));
        real.host_sp = t->sp;
        return;
    }
    pthread_t handle;
    struct thread *creator = engine.running;
    engine.running = NULL; // what the C library allocates for it is not the program's
    real.asleep[STARTING] = 1;
    require(!NATIVE(pthread_create)(&handle, NULL, kernel_thread, t));
    SLEEP(&real.asleep[STARTING]);
    engine.running = creator;
}

void real_resume(struct thread *t, struct thread *resumer)
{
    if (resumer) {
        sleeping(resumer->actor, "create", NULL, &real.asleep[t->actor]);
    } else {
        real.next = t;
        fiber_switch(&engine.engine_sp, real.host_sp);
    }
}

// The thread whose record `resumer` points into, at its stack pointer.
static struct thread *resuming_thread(void)
{
    return (struct thread *)((uint8_t *)engine.resumer - offsetof(struct thread, sp));
}

// Lets the engine run if that is who resumed the thread. Returns whom the thread then has to wake; null if it is to go on
// itself.
static inline __attribute__((always_inline)) uint32_t *successor(const struct thread *t)
{
    if (engine.resumer != &engine.engine_sp)
        return &real.asleep[resuming_thread()->actor];
    fiber_switch(&real.host_sp, engine.engine_sp);
    return real.next == t ? NULL : &real.asleep[real.next->actor];
}

static __attribute__((noinline)) void run_errand(struct thread *t)
{
    engine.running = NULL;
    real.errand(real.argument);
    engine.running = t;
}

// What was done on this stack before would be found in gaps of the frame that is made there next, and a thread that goes round
// would look different each time.
static __attribute__((noinline)) void clear_below(void)
{
    uint8_t room[4096];
    plain_fill(room, 0, sizeof room);
    __asm__ volatile("" : : "r"(room) : "memory");
}

// From the stack pointer kept here upwards the stack stays as it is while the thread sleeps: spin.c compares it.
static __attribute__((noinline)) void park_here(struct thread *t)
{
    t->saved_errno = errno;
    for (;;) {
        __asm__ volatile("movq %%rsp, %0" : "=m"(t->sp));
        uint32_t *next = successor(t);
        if (next)
            sleeping(t->actor, op_table[t->request.kind].name, (void *)(uintptr_t)t->request.address, next);
        if (!real.errand)
            break;
        run_errand(t);
    }
    errno = t->saved_errno;
}

void real_park(struct thread *t)
{
    clear_below();
    park_here(t); // by a jump, where the stack is clear
}

_Noreturn void real_stop(struct thread *t, bool ended)
{
    if (!ended || !t->actor)
        for (;;)
            real_park(t);
    // The kernel wakes the next one when this one is gone from the debugger's list. Not by pthread_exit, which would free
    // memory that heddle gave out.
    raw_call(SYS_set_tid_address, (long)(uintptr_t)successor(t), 0, 0);
    raw_call(SYS_exit, 0, 0, 0);
    __builtin_unreachable();
}

static bool on_its_stack(const struct thread *t)
{
    const uint8_t *here = __builtin_frame_address(0);
    return here > t->stack_low && here < t->stack_top;
}

void real_call(struct thread *t, void (*function)(void *), void *argument)
{
    struct thread *running = engine.running;
    uint32_t state = engine.exec.actors[t->actor].state;
    bool gone = state == ACTOR_ABSENT || (state == ACTOR_ENDED && t->actor);
    if (running || gone || on_its_stack(t)) {
        engine.running = NULL;
        function(argument);
        engine.running = running;
        return;
    }
    real.errand = function;
    real.argument = argument;
    thread_resume(t, &engine.engine_sp);
    real.errand = NULL;
}
