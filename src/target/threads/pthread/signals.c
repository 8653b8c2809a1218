// Signals between threads, as far as they come at a definite point: those that the target blocks stay pending until it
// takes them (sigwait) or unblocks them, and a thread that sends one to itself, or raises SIGPIPE by writing, gets it at
// once. A handler that would run in another thread at any point of its code is refused. Signals that several threads could take
// are different (descriptor/fd_signals.c).
//
// Everything that is done to the pending signals of a thread is in one order. A sigwait could have come in front of the
// newest operation if what it wants was pending before that already.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "target/threads/descriptor/descriptor_room.h"
#include "target/threads/library/library_room.h"
#include "target/threads/memory/memory_room.h"
#include "target/threads/libc/libc_room.h"
#include "target/threads/engine/engine_room.h"
#include "target/threads/pthread/surface.h"

enum { SIGNALS = 64, FIRST_QUEUED = 32 }; // real-time signals are queued, of all others one is pending at most

static struct signals {
    uint64_t blocked, pending;
    uint64_t newest;                         // what the newest operation on it added
    uint64_t queued[SIGNALS - FIRST_QUEUED]; // how often real-time signals are pending beyond the first
} signals[MAX_ACTORS];

static struct signals of_process; // what was sent to it, and is pending since all threads block it

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

static uint64_t *queue_of(struct signals *s, int number)
{
    return number > FIRST_QUEUED ? &s->queued[number - FIRST_QUEUED - 1] : NULL;
}

static void signals_add(struct signals *s, int number)
{
    uint64_t *queue = queue_of(s, number);
    if (!(s->pending & signals_bit(number)))
        signals_set(&s->pending, s->pending | signals_bit(number));
    else if (queue)
        signals_set(queue, *queue + 1);
}

// One that is pending comes.
static void signals_remove(struct signals *s, int number)
{
    uint64_t *queue = queue_of(s, number);
    if (queue && *queue)
        signals_set(queue, *queue - 1);
    else
        signals_set(&s->pending, s->pending & ~signals_bit(number));
}

static uint64_t bits_of(const sigset_t *set_of)
{
    return *(const uint64_t *)set_of;
}

static bool is_signal(int number)
{
    return number >= 1 && number <= SIGNALS;
}

uint64_t signals_pending(const struct thread *t)
{
    return t ? signals_of(t)->pending : of_process.pending;
}

bool signals_block(const struct thread *t, int number)
{
    return signals_of(t)->blocked & signals_bit(number);
}

// A thread that has come to its end may still be in front of it, as long as nobody has joined it: what it did since its last
// operation is ordered with nothing.
static bool may_be_there(uint32_t actor)
{
    enum actor_state state = (enum actor_state)engine.exec.actors[actor].state;
    return state != ACTOR_ABSENT && (state != ACTOR_ENDED || !is_joined(&engine.threads[actor]));
}

bool signals_all_block(const struct thread *but, int number)
{
    for (uint32_t actor = 0; actor < engine.exec.known; actor++)
        if (may_be_there(actor) && &engine.threads[actor] != but && !signals_block(&engine.threads[actor], number))
            return false;
    return true;
}

void signals_add_pending(const struct thread *t, int number)
{
    signals_add(t ? signals_of(t) : &of_process, number);
}

int signals_take(const struct thread *t, uint64_t wanted, bool *of_process_too)
{
    struct signals *s = signals_of(t)->pending & wanted ? signals_of(t) : &of_process;
    if (!(s->pending & wanted))
        return 0;
    int number = __builtin_ctzll(s->pending & wanted) + 1;
    signals_remove(s, number);
    *of_process_too = s == &of_process;
    return number;
}

bool signals_are_handled(int number)
{
    return dispositions[number].action.sa_handler != SIG_DFL;
}

void signals_set_mask_of_new(const struct thread *t, const sigset_t *blocked)
{
    signals_set(&signals_of(t)->blocked, bits_of(blocked) & ~(signals_bit(SIGKILL) | signals_bit(SIGSTOP)));
}

void signals_begin(struct thread *t, const struct thread *creator)
{
    uint64_t blocked = creator ? signals_of(creator)->blocked : blocked_early;
    if (signals_of(t)->blocked != blocked)
        signals_set(&signals_of(t)->blocked, blocked);
    while (signals_of(t)->pending)
        signals_remove(signals_of(t), __builtin_ctzll(signals_of(t)->pending) + 1);
    if (signals_of(t)->newest)
        signals_set(&signals_of(t)->newest, 0);
}

static uint64_t signals_address_of(const struct thread *t)
{
    return (uint64_t)handle_of(t->actor) + 16; // nobody else's
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
        signals_add(s, __builtin_ctzll(wanted) + 1);
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
    if (there)
        signals_remove(signals_of(t), __builtin_ctzll(there) + 1);
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

void signal_look(int number, const void *pc)
{
    settings_look("raise", &dispositions[number], pc);
}

static void signals_deliver(struct thread *t, int number, const void *pc);

static void change_blocked(struct thread *t, uint64_t blocked, const void *pc)
{
    signals_set(&signals_of(t)->blocked, blocked & ~(signals_bit(SIGKILL) | signals_bit(SIGSTOP)));
    bool shared;
    for (int number; (number = signals_take(t, ~signals_of(t)->blocked, &shared));) {
        signal_look(number, pc);
        signals_deliver(t, number, pc);
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

static bool is_once(const struct sigaction *action)
{
    return action->sa_flags & (int)SA_RESETHAND && action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN;
}

// To the running thread, which does not block it and has looked what it does. Of threads that get one whose handler runs only
// once, one takes the handler.
static void signals_deliver(struct thread *t, int number, const void *pc)
{
    if (is_once(&dispositions[number].action))
        settings_change("raise", &dispositions[number], pc);
    struct sigaction action = dispositions[number].action;
    if (signals_ignores(number))
        return;
    if (action.sa_handler == SIG_DFL)
        signals_die(t, number, pc);
    if (is_once(&action)) {
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
    if (!(signals_of(t)->blocked & signals_bit(number))) {
        signals_deliver(t, number, pc);
    } else if (signals_are_shared()) {
        signal_send(t, t, number, pc);
    } else {
        ask_about(t, OP_KILL, t, pc)->operand = signals_bit(number);
        visible(t);
    }
}

static bool stays_pending(struct thread *t, const struct thread *other, int number, const void *pc)
{
    if (signals_are_shared())
        return signal_send(t, other, number, pc) == SENT_PENDING;
    ask_about(t, OP_KILL, other, pc)->operand = signals_bit(number);
    return visible(t);
}

static void send_to_other(struct thread *t, const struct thread *other, int number, const void *pc)
{
    if (stays_pending(t, other, number, pc))
        return;
    signal_look(number, pc);
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
    if (!number)
        return 0;
    if (other == t && !(signals_of(t)->blocked & signals_bit(number)))
        signal_look(number, pc);
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
    if (!imported.kill)
        refuse(t, "pthread_kill by a pointer that dlsym gave", "call it by its name");
    const struct thread *other = thread_of(handle);
    return other ? signals_send(t, other, number, HERE) : thread_unknown(handle, "signals", HERE);
}

// To all threads: who does not block it gets it, or it stays pending until one of them takes it.
int signal_process(struct thread *t, int number, const void *pc)
{
    if (number < 0 || number > SIGNALS)
        return EINVAL;
    if (!number)
        return 0;
    signals_share(t);
    enum sent sent = signal_send(t, NULL, number, pc);
    if (sent == SENT_PENDING)
        return 0;
    signal_look(number, pc);
    if (sent == SENT_TO_OTHERS && signals_are_handled(number) && !signals_ignores(number))
        refuse(t, "kill of a signal whose handler would run in any of several threads",
               "block it in all threads with pthread_sigmask, and take it with sigwait or signalfd");
    signals_deliver(t, number, pc);
    return 0;
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

static void signals_look_at_mask(struct thread *t, bool matters, const void *pc)
{
    if (signals_are_shared()) {
        signals_remask(t, pc);
    } else if (matters) {
        ask_about(t, OP_SIGMASK, t, pc);
        visible(t);
    }
}

static void set_mask(struct thread *t, uint64_t blocked, const void *pc)
{
    signals_look_at_mask(t, imported.kill, pc);
    change_blocked(t, blocked, pc);
}

// A set has room for 1024 signals, and the kernel fills the first word with those that the worker blocks. The last word is free.
enum { OWN_WORD = sizeof(sigset_t) / sizeof(uint64_t) - 1 };

void signals_keep_mask(const struct thread *t, void *beside)
{
    __builtin_memcpy((uint64_t *)beside + OWN_WORD, &signals_of(t)->blocked, sizeof(uint64_t));
}

void signals_restore_mask(struct thread *t, const void *beside, const void *pc)
{
    uint64_t blocked;
    __builtin_memcpy(&blocked, (const uint64_t *)beside + OWN_WORD, sizeof blocked);
    if (blocked != signals_of(t)->blocked)
        set_mask(t, blocked, pc);
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
    set_mask(t, how == SIG_BLOCK ? blocked | bits : how == SIG_UNBLOCK ? blocked & ~bits : bits, pc);
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
    signals_look_at_mask(t, true, HERE);
    access_write(to, sizeof *to, HERE);
    plain_fill(to, 0, sizeof *to);
    *(uint64_t *)to = signals_of(t)->pending | of_process.pending;
    return 0;
}

static bool is_same_action(const struct sigaction *one, const struct sigaction *other)
{
    enum { FLAGS_HEEDED = (int)(SA_RESETHAND | SA_NODEFER | SA_SIGINFO) };
    return one->sa_handler == other->sa_handler && !((one->sa_flags ^ other->sa_flags) & FLAGS_HEEDED) &&
           bits_of(&one->sa_mask) == bits_of(&other->sa_mask);
}

// What a signal does to a thread that raises it depends on which comes first. A thread that sends one to another is not told
// what became of it.
static struct sigaction replace_action(struct thread *t, int number, const struct sigaction *wanted, const void *pc)
{
    struct disposition *d = &dispositions[number];
    if (!is_same_action(wanted, &d->action) && !engine.alone && !engine.over && imported.kill)
        refuse(t, "sigaction while there are other threads", "set handlers before threads are created");
    settings_change("sigaction", d, pc);
    struct sigaction before = d->action;
    undo_save(&engine.undo, d, sizeof *d);
    d->action = *wanted;
    return before;
}

static bool can_be_changed(int number)
{
    return is_signal(number) && number != SIGKILL && number != SIGSTOP;
}

static int change_action(struct thread *t, int number, const struct sigaction *wanted, struct sigaction *before,
                         const void *pc)
{
    if (wanted)
        forked_refuse(t, "changes what a signal does");
    if (wanted ? !can_be_changed(number) : !is_signal(number))
        return signals_failed(EINVAL);
    struct sigaction old;
    if (wanted) {
        access_read(wanted, sizeof *wanted, pc);
        old = replace_action(t, number, wanted, pc);
    } else {
        settings_look("sigaction", &dispositions[number], pc);
        old = dispositions[number].action;
    }
    if (before) {
        access_write(before, sizeof *before, pc);
        *before = old;
    }
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
    forked_refuse(t, "changes what a signal does");
    if (!can_be_changed(number)) {
        errno = EINVAL;
        return SIG_ERR;
    }
    struct sigaction wanted = {.sa_handler = handler, .sa_flags = SA_RESTART};
    return replace_action(t, number, &wanted, HERE).sa_handler;
}

static int signals_wait_for(struct thread *t, enum op_kind kind, const sigset_t *wanted, bool *of_process_too,
                            const void *pc)
{
    access_read(wanted, sizeof(uint64_t), pc);
    cancel_point(t, pc);
    *of_process_too = false;
    if (signals_are_shared())
        return signal_await(t, bits_of(wanted), kind == OP_SIGWAIT, of_process_too, pc);
    ask_about(t, kind, t, pc)->operand = bits_of(wanted);
    return (int)visible(t);
}

PUBLIC int sigwait(const sigset_t *wanted, int *number)
{
    struct thread *t = engine.running;
    if (!t)
        return NATIVE(sigwait)(wanted, number);
    bool shared;
    int taken = signals_wait_for(t, OP_SIGWAIT, wanted, &shared, HERE);
    access_write(number, sizeof *number, HERE);
    *number = taken;
    return 0;
}

// Waits, or takes what is there, and tells of it; 0 if there is none.
static int signals_take_info(struct thread *t, enum op_kind kind, const sigset_t *wanted, siginfo_t *info,
                             const void *pc)
{
    bool shared;
    int taken = signals_wait_for(t, kind, wanted, &shared, pc);
    if (taken && info) {
        access_write(info, sizeof *info, pc);
        plain_fill(info, 0, sizeof *info);
        info->si_signo = taken;
        info->si_code = SI_USER; // also of one to this thread: the C library hides SI_TKILL here
        info->si_pid = forked_number();
        info->si_uid = getuid();
    }
    return taken;
}

PUBLIC int sigwaitinfo(const sigset_t *wanted, siginfo_t *info)
{
    struct thread *t = engine.running;
    return t ? signals_take_info(t, OP_SIGWAIT, wanted, info, HERE) : NATIVE(sigwaitinfo)(wanted, info);
}

PUBLIC int sigtimedwait(const sigset_t *wanted, siginfo_t *info, const struct timespec *length)
{
    struct thread *t = engine.running;
    if (!t)
        return NATIVE(sigtimedwait)(wanted, info, length);
    access_read(length, sizeof *length, HERE);
    if (length->tv_sec < 0 || length->tv_nsec < 0 || length->tv_nsec >= 1000000000)
        return signals_failed(EINVAL);
    int taken = signals_take_info(t, OP_SIGTRY, wanted, info, HERE);
    if (taken)
        return taken;
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
