// Signals between threads, as far as they come at a definite point: those that the target blocks stay pending until it
// takes them (sigwait) or unblocks them, and a thread that sends one to itself, or raises SIGPIPE by writing, gets it at
// once. A handler that would run in another thread at any point of its code is refused.
//
// Everything that is done to the pending signals of a thread is in one order. A sigwait could have come in front of the
// newest operation if what it wants was pending before that already.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>

#include "target/threads/library/library_room.h"
#include "target/threads/memory/memory_room.h"
#include "target/threads/libc/libc_room.h"
#include "target/threads/engine/engine_room.h"
#include "target/threads/pthread/surface.h"

enum { SIGNALS = 64 };

static struct signals {
    uint64_t blocked, pending;
    uint64_t newest; // what the newest operation on it added
} signals[MAX_ACTORS];

static struct disposition {
    struct sigaction action;
    uint64_t unused;
} dispositions[SIGNALS + 1];

static uint64_t blocked_early; // by libraries, before main

static void signals_set(uint64_t *where, uint64_t value)
{
    undo_save_word(&engine.undo, where);
    *where = value;
}

static struct signals *signals_of(const struct thread *t)
{
    return &signals[t->actor];
}

static uint64_t signals_bit(int number)
{
    return 1ull << (number - 1);
}

static uint64_t bits_of(const sigset_t *set_of)
{
    return *(const uint64_t *)set_of;
}

static bool is_signal(int number)
{
    return number >= 1 && number <= SIGNALS;
}

bool signals_are_handled(int number)
{
    return dispositions[number].action.sa_handler != SIG_DFL;
}

void signals_begin(struct thread *t, const struct thread *creator)
{
    uint64_t blocked = creator ? signals_of(creator)->blocked : blocked_early;
    if (signals_of(t)->blocked != blocked)
        signals_set(&signals_of(t)->blocked, blocked);
    if (signals_of(t)->pending)
        signals_set(&signals_of(t)->pending, 0);
    if (signals_of(t)->newest)
        signals_set(&signals_of(t)->newest, 0);
}

static uint64_t signals_address_of(const struct thread *t)
{
    return (uint64_t)handle_of(t->actor) + 16; // nobody else's
}

static bool can_be_sent(void)
{
    static int known = -1;
    if (known < 0)
        known = image_imports("pthread_kill");
    return known;
}

static struct request *ask_about(struct thread *t, enum op_kind kind, const struct thread *whose, const void *pc)
{
    struct request *r = ask(t, kind, signals_address_of(whose), place_at(signals_address_of(whose)), pc);
    r->mutex = whose->actor;
    return r;
}

enum effect do_kill(struct thread *t, struct place *place)
{
    (void)place;
    struct signals *s = &signals[t->request.mutex];
    uint64_t wanted = (uint64_t)t->request.operand;
    bool blocked = s->blocked & wanted;
    signals_set(&s->newest, blocked && !(s->pending & wanted) ? wanted : 0);
    if (blocked)
        signals_set(&s->pending, s->pending | wanted);
    t->result = blocked;
    return EFFECT_WRITE;
}

void after_signals(struct thread *t, enum effect effect)
{
    uint32_t object = t->request.object;
    if (effect == EFFECT_WRITE && t->request.kind == OP_SIGWAIT)
        exec_hold(&engine.exec, object, NO_EVENT);
    exec_release(&engine.exec, t->actor, object);
}

bool sigwait_ready(struct thread *t, struct place *place)
{
    (void)place;
    return signals_of(t)->pending & (uint64_t)t->request.operand;
}

// Takes the lowest of the signals that it waits for.
enum effect do_sigtry(struct thread *t, struct place *place)
{
    (void)place;
    uint64_t there = signals_of(t)->pending & (uint64_t)t->request.operand;
    t->result = there ? (wide)__builtin_ctzll(there) + 1 : 0;
    signals_set(&signals_of(t)->newest, 0);
    signals_set(&signals_of(t)->pending, signals_of(t)->pending & ~(there & -there));
    return EFFECT_WRITE;
}

enum effect do_sigwait(struct thread *t, struct place *place)
{
    const struct object *o = &engine.exec.objects[t->request.object];
    uint64_t before = signals_of(t)->pending & ~signals_of(t)->newest & (uint64_t)t->request.operand;
    exec_hold(&engine.exec, t->request.object, before && o->effect != EFFECT_NONE ? o->group : NO_EVENT);
    return do_sigtry(t, place);
}

enum effect do_sigmask(struct thread *t, struct place *place)
{
    (void)place;
    signals_set(&signals_of(t)->newest, 0);
    t->result = 0;
    return EFFECT_WRITE;
}

// Whether nobody would notice the signal; otherwise it ends the process.
static bool ignored_by_default(int number)
{
    return number == SIGCHLD || number == SIGURG || number == SIGWINCH || number == SIGCONT;
}

static bool signals_ignores(int number)
{
    void (*handler)(int) = dispositions[number].action.sa_handler;
    return handler == SIG_IGN || (handler == SIG_DFL && ignored_by_default(number));
}

static _Noreturn void signals_die(struct thread *t, int number, const void *pc)
{
    if (framework_expects_signal(number))
        exits_as_expected(t, pc);
    if (number == SIGABRT)
        fail_and_stop(t, BUG_ABORT, 0, pc, "SIGABRT was raised");
    fail_and_stop(t, BUG_SIGNAL, 0, pc, "signal %d was raised", number);
}

static void signals_deliver(struct thread *t, int number, const void *pc);

static void change_blocked(struct thread *t, uint64_t blocked, const void *pc)
{
    signals_set(&signals_of(t)->blocked, blocked & ~(signals_bit(SIGKILL) | signals_bit(SIGSTOP)));
    for (uint64_t due; (due = signals_of(t)->pending & ~signals_of(t)->blocked);) {
        signals_set(&signals_of(t)->pending, signals_of(t)->pending & ~(due & -due));
        signals_deliver(t, __builtin_ctzll(due) + 1, pc);
    }
}

static void run_handler(struct thread *t, int number, const struct sigaction *action, const void *pc)
{
    uint64_t before = signals_of(t)->blocked;
    uint64_t during = before | bits_of(&action->sa_mask) | (action->sa_flags & SA_NODEFER ? 0 : signals_bit(number));
    int own_errno = errno;
    signals_set(&signals_of(t)->blocked, during & ~(signals_bit(SIGKILL) | signals_bit(SIGSTOP)));
    if (action->sa_flags & SA_SIGINFO) {
        siginfo_t info = {.si_signo = number, .si_code = SI_TKILL};
        action->sa_sigaction(number, &info, NULL);
    } else {
        action->sa_handler(number);
    }
    errno = own_errno;
    change_blocked(t, before, pc);
}

// To the running thread, which does not block it.
static void signals_deliver(struct thread *t, int number, const void *pc)
{
    struct sigaction action = dispositions[number].action;
    if (signals_ignores(number))
        return;
    if (action.sa_handler == SIG_DFL)
        signals_die(t, number, pc);
    if (action.sa_flags & (int)SA_RESETHAND) {
        undo_save(&engine.undo, &dispositions[number], sizeof dispositions[number]);
        dispositions[number].action.sa_handler = SIG_DFL;
    }
    run_handler(t, number, &action, pc);
}

bool signal_ends_process(const struct thread *t, int number)
{
    return !(signals_of(t)->blocked & signals_bit(number)) && !signals_ignores(number) &&
           dispositions[number].action.sa_handler == SIG_DFL;
}

void signal_self(struct thread *t, int number, const void *pc)
{
    if (signals_of(t)->blocked & signals_bit(number)) {
        ask_about(t, OP_KILL, t, pc)->operand = signals_bit(number);
        visible(t);
    } else {
        signals_deliver(t, number, pc);
    }
}

static void send_to_other(struct thread *t, const struct thread *other, int number, const void *pc)
{
    ask_about(t, OP_KILL, other, pc)->operand = signals_bit(number);
    if (visible(t))
        return; // it stays pending
    if (signals_ignores(number))
        return;
    if (dispositions[number].action.sa_handler == SIG_DFL)
        signals_die(t, number, pc);
    refuse(t, "pthread_kill of a signal whose handler would run in another thread",
           "block the signal there with pthread_sigmask, and take it with sigwait");
}

static int signals_send(struct thread *t, const struct thread *other, int number, const void *pc)
{
    if (number < 0 || number > SIGNALS)
        return EINVAL;
    if (!other)
        return ESRCH;
    if (!number)
        return 0;
    if (other == t)
        signal_self(t, number, pc);
    else
        send_to_other(t, other, number, pc);
    return 0;
}

PUBLIC int pthread_kill(pthread_t handle, int number)
{
    struct thread *t = engine.running;
    if (!t)
        return NATIVE(pthread_kill)(handle, number);
    if (!can_be_sent())
        refuse(t, "pthread_kill by a pointer that dlsym gave", "call it by its name");
    return signals_send(t, thread_of(handle), number, HERE);
}

PUBLIC int raise(int number)
{
    struct thread *t = engine.running;
    if (!t)
        return NATIVE(raise)(number);
    int error = number ? signals_send(t, t, number, HERE) : 0;
    if (!error)
        return 0;
    errno = error;
    return -1;
}

static int change_mask(struct thread *t, int how, const sigset_t *wanted, sigset_t *before, const void *pc)
{
    uint64_t blocked = signals_of(t)->blocked;
    if (wanted)
        access_read(wanted, sizeof(uint64_t), pc);
    uint64_t bits = wanted ? bits_of(wanted) : 0;
    if (before) {
        access_write(before, sizeof *before, pc);
        plain_fill(before, 0, sizeof *before);
        *(uint64_t *)before = blocked;
    }
    if (!wanted)
        return 0;
    if (how != SIG_BLOCK && how != SIG_UNBLOCK && how != SIG_SETMASK)
        return EINVAL;
    if (can_be_sent()) {
        ask_about(t, OP_SIGMASK, t, pc);
        visible(t);
    }
    change_blocked(t, how == SIG_BLOCK ? blocked | bits : how == SIG_UNBLOCK ? blocked & ~bits : bits, pc);
    return 0;
}

static void block_early(int how, const sigset_t *wanted)
{
    if (!wanted || !early_is_now())
        return;
    uint64_t bits = bits_of(wanted) & ~(signals_bit(SIGKILL) | signals_bit(SIGSTOP));
    blocked_early = how == SIG_BLOCK     ? blocked_early | bits
                    : how == SIG_UNBLOCK ? blocked_early & ~bits
                    : how == SIG_SETMASK ? bits
                                         : blocked_early;
}

PUBLIC int pthread_sigmask(int how, const sigset_t *wanted, sigset_t *before)
{
    struct thread *t = engine.running;
    if (t)
        return change_mask(t, how, wanted, before, HERE);
    block_early(how, wanted);
    return NATIVE(pthread_sigmask)(how, wanted, before);
}

static int signals_failed(int error)
{
    errno = error;
    return -1;
}

PUBLIC int sigprocmask(int how, const sigset_t *wanted, sigset_t *before)
{
    struct thread *t = engine.running;
    if (!t) {
        block_early(how, wanted);
        return NATIVE(sigprocmask)(how, wanted, before);
    }
    int error = change_mask(t, how, wanted, before, HERE);
    return error ? signals_failed(error) : 0;
}

PUBLIC int sigpending(sigset_t *to)
{
    struct thread *t = engine.running;
    if (!t)
        return NATIVE(sigpending)(to);
    ask_about(t, OP_SIGMASK, t, HERE);
    visible(t);
    access_write(to, sizeof *to, HERE);
    plain_fill(to, 0, sizeof *to);
    *(uint64_t *)to = signals_of(t)->pending;
    return 0;
}

// Whether another thread can depend on what a signal does: it sends it, or writes where nobody reads.
#define CHANGES 0xfb0000000000ull // no address of the program

static bool concerns_others(int number)
{
    static int pipes = -1;
    if (pipes < 0)
        pipes = image_imports("pipe") || image_imports("pipe2") || image_imports("socketpair") || image_imports("syscall");
    return can_be_sent() || (number == SIGPIPE && pipes);
}

// What SIGPIPE does when a thread writes depends on which comes first.
static void change_among_others(struct thread *t, int number, const void *pc)
{
    if (number != SIGPIPE || can_be_sent())
        refuse(t, "sigaction while there are other threads", "set handlers before threads are created");
    places_learn(t, CHANGES);
    ask(t, OP_LIBRARY, 0, place_at(CHANGES), pc)->operand = (uintptr_t) "sigaction";
    visible(t);
}

void signal_look(struct thread *t, const void *pc)
{
    if (!places_know(CHANGES))
        return;
    ask(t, OP_LOOK, 0, place_at(CHANGES), pc)->operand = (uintptr_t) "SIGPIPE";
    visible(t);
}

// Which handlers there are is no matter of order: they are set before there are threads that could send.
static int change_action(struct thread *t, int number, const struct sigaction *wanted, struct sigaction *before,
                         const void *pc)
{
    if (wanted)
        forked_refuse(t, "changes what a signal does");
    if (!is_signal(number) || (wanted && (number == SIGKILL || number == SIGSTOP)))
        return signals_failed(EINVAL);
    struct disposition *d = &dispositions[number];
    if (wanted)
        access_read(wanted, sizeof *wanted, pc);
    bool same = wanted && wanted->sa_handler == d->action.sa_handler;
    if (wanted && !same && !engine.alone && !engine.over && concerns_others(number))
        change_among_others(t, number, pc);
    struct sigaction action = wanted ? *wanted : d->action;
    if (before) {
        access_write(before, sizeof *before, pc);
        *before = d->action;
    }
    undo_save(&engine.undo, d, sizeof *d);
    d->action = action;
    return 0;
}

PUBLIC int sigaction(int number, const struct sigaction *wanted, struct sigaction *before)
{
    struct thread *t = engine.running;
    if (t)
        return change_action(t, number, wanted, before, HERE);
    if (wanted && is_signal(number) && early_is_now())
        dispositions[number].action = *wanted;
    return NATIVE(sigaction)(number, wanted, before);
}

PUBLIC sighandler_t signal(int number, sighandler_t handler)
{
    struct thread *t = engine.running;
    if (!t && is_signal(number) && early_is_now())
        dispositions[number].action = (struct sigaction){.sa_handler = handler, .sa_flags = SA_RESTART};
    if (!t)
        return NATIVE(signal)(number, handler);
    struct sigaction wanted = {.sa_handler = handler, .sa_flags = SA_RESTART};
    sighandler_t before = is_signal(number) ? dispositions[number].action.sa_handler : SIG_DFL;
    return change_action(t, number, &wanted, NULL, HERE) ? SIG_ERR : before;
}

static int signals_wait_for(struct thread *t, enum op_kind kind, const sigset_t *wanted, const void *pc)
{
    access_read(wanted, sizeof(uint64_t), pc);
    cancel_point(t, pc);
    ask_about(t, kind, t, pc)->operand = bits_of(wanted);
    return (int)visible(t);
}

PUBLIC int sigwait(const sigset_t *wanted, int *number)
{
    struct thread *t = engine.running;
    if (!t)
        return NATIVE(sigwait)(wanted, number);
    int taken = signals_wait_for(t, OP_SIGWAIT, wanted, HERE);
    access_write(number, sizeof *number, HERE);
    *number = taken;
    return 0;
}

static int signals_tell(int taken, siginfo_t *info, const void *pc)
{
    if (info) {
        access_write(info, sizeof *info, pc);
        plain_fill(info, 0, sizeof *info);
        info->si_signo = taken;
        info->si_code = SI_TKILL;
    }
    return taken;
}

PUBLIC int sigwaitinfo(const sigset_t *wanted, siginfo_t *info)
{
    struct thread *t = engine.running;
    return t ? signals_tell(signals_wait_for(t, OP_SIGWAIT, wanted, HERE), info, HERE)
             : NATIVE(sigwaitinfo)(wanted, info);
}

PUBLIC int sigtimedwait(const sigset_t *wanted, siginfo_t *info, const struct timespec *length)
{
    struct thread *t = engine.running;
    if (!t)
        return NATIVE(sigtimedwait)(wanted, info, length);
    access_read(length, sizeof *length, HERE);
    if (length->tv_sec < 0 || length->tv_nsec < 0 || length->tv_nsec >= 1000000000)
        return signals_failed(EINVAL);
    int taken = signals_wait_for(t, OP_SIGTRY, wanted, HERE);
    if (taken)
        return signals_tell(taken, info, HERE);
    thread_sleep((uint64_t)length->tv_sec * 1000000000u + (uint64_t)length->tv_nsec);
    return signals_failed(EAGAIN);
}

// Sets of signals are kept by the C library's functions.
#define SET(name)                                                                                                      \
    PUBLIC int name(sigset_t *of_signals)                                                                              \
    {                                                                                                                  \
        if (engine.running)                                                                                            \
            access_write(of_signals, sizeof *of_signals, HERE);                                                        \
        return NATIVE(name)(of_signals);                                                                               \
    }
#define MEMBER(name)                                                                                                   \
    PUBLIC int name(sigset_t *of_signals, int number)                                                                  \
    {                                                                                                                  \
        if (engine.running)                                                                                            \
            access_write(of_signals, sizeof(uint64_t), HERE);                                                          \
        return NATIVE(name)(of_signals, number);                                                                       \
    }
SET(sigemptyset)
SET(sigfillset)
MEMBER(sigaddset)
MEMBER(sigdelset)

PUBLIC int sigismember(const sigset_t *of_signals, int number)
{
    if (engine.running)
        access_read(of_signals, sizeof(uint64_t), HERE);
    return NATIVE(sigismember)(of_signals, number);
}
