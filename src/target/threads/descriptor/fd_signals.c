// signalfd, and signals that are sent to the process: what is pending may then be taken by one thread or another, by sigwait, by
// reading a descriptor, or by letting it through. In a program that does either, all that is done to pending signals is an
// operation on the object of all descriptors, so that poll and epoll see it, and a thread that waits for a signal looks
// and sleeps as one does that reads from an empty pipe.
//
// Elsewhere a signal is for one thread, which has an object of its own for it (pthread/signals.c). Which of the two it is is
// learnt, and the search begins anew.
//
// A signalfd tells of the signals of the thread that looks at it, and of those of the process. It orders nothing, like sigwait.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "target/threads/descriptor/descriptors.h"
#include "target/threads/engine/engine_room.h"
#include "target/threads/library/library_room.h"
#include "target/threads/libc/libc_room.h"

#define SHARED 0xfb0000000000ull // no address of the program

bool signals_are_shared(void)
{
    return places_know(SHARED);
}

void signals_share(struct thread *t)
{
    places_learn(t, objects_anywhere());
    places_learn(t, SHARED);
}

static const struct thread *asker; // set anew before each look

void signals_asked_by(const struct thread *t)
{
    asker = t;
}

// ---- operations ----

// What a call about signals is given and gives back.
struct signal_call {
    const struct thread *to;
    int number;
    uint64_t wanted;
    bool of_process;
};

static long signals_operate(struct thread *t, enum op_kind kind, struct fd_call *call, const void *pc)
{
    if (unlikely(engine.clears_far))
        state_clear_stack(); // as fd_operate does
    ask(t, kind, objects_anywhere(), place_at(objects_anywhere()), pc)->operand = (uintptr_t)call;
    return (long)visible(t);
}

static void tell_of_edges(int number)
{
    for (uint32_t i = 1; i <= file_count(); i++) {
        struct file *f = file_at(i);
        if (f->kind == FILE_SIGNALS && f->counter >> (number - 1) & 1) {
            keep_file(f);
            f->written++;
        }
    }
}

static long do_send(struct fd_call *call, struct thread *t)
{
    const struct signal_call *s = call->more;
    if (s->to ? !signals_block(s->to, s->number) : !signals_all_block(NULL, s->number))
        return signals_all_block(t, s->number) ? SENT_TO_CALLER : SENT_TO_OTHERS;
    signals_add_pending(s->to, s->number);
    tell_of_edges(s->number);
    call->changed = true;
    return SENT_PENDING;
}

enum sent signal_send(struct thread *t, const struct thread *to, int number, const void *pc)
{
    struct signal_call s = {.to = to, .number = number};
    struct fd_call call = {.ready = ready_at_once, .act = do_send, .fd = -1, .more = &s};
    return (enum sent)signals_operate(t, OP_SHARED_KILL, &call, pc);
}

static uint64_t signals_there(const struct thread *t)
{
    return signals_pending(t) | signals_pending(NULL);
}

static bool is_there(struct fd_call *call)
{
    const struct signal_call *s = call->more;
    return signals_there(asker) & s->wanted;
}

static long do_take(struct fd_call *call, struct thread *t)
{
    struct signal_call *s = call->more;
    call->changed = true;
    return signals_take(t, s->wanted, &s->of_process);
}

int signal_await(struct thread *t, uint64_t wanted, bool waits, bool *of_process, const void *pc)
{
    struct signal_call s = {.wanted = wanted};
    struct fd_call call = {.ready = is_there, .act = do_take, .fd = -1, .more = &s, .nonblocking = !waits};
    int number = (int)signals_operate(t, OP_SHARED_SIGWAIT, &call, pc);
    *of_process = s.of_process;
    return number;
}

static long do_remask(struct fd_call *call, struct thread *t)
{
    (void)t;
    call->changed = true;
    return 0;
}

void signals_remask(struct thread *t, const void *pc)
{
    struct fd_call call = {.ready = ready_at_once, .act = do_remask, .fd = -1};
    signals_operate(t, OP_SHARED_SIGMASK, &call, pc);
}

// ---- signalfd ----

static int fd_signals_wrong(int error)
{
    errno = error;
    return -1;
}

static long do_set(struct fd_call *call, struct thread *t)
{
    (void)t;
    struct file *f = file_of(call);
    if (!f)
        return -EBADF;
    if (f->kind != FILE_SIGNALS)
        return -EINVAL;
    keep_file(f);
    f->counter = call->number;
    call->changed = true;
    return 0;
}

static int make_signalfd(struct thread *t, uint64_t wanted, int flags, const void *pc)
{
    signals_share(t);
    uint64_t object = descriptor_object(t);
    uint32_t number = file_new(t, FILE_SIGNALS, object, flags & SFD_NONBLOCK ? O_NONBLOCK : 0);
    file_at(number)->counter = wanted;
    descriptor_made(t, "signalfd", object, pc);
    return descriptor_new(t, number, 0, flags & SFD_CLOEXEC);
}

PUBLIC int signalfd(int fd, const sigset_t *wanted, int flags)
{
    struct thread *t = engine.running;
    if (!t) {
        early_refuse("makes a signalfd", HERE);
        return NATIVE(signalfd)(fd, wanted, flags);
    }
    access_read(wanted, sizeof(uint64_t), HERE);
    if (flags & ~(SFD_CLOEXEC | SFD_NONBLOCK))
        return fd_signals_wrong(EINVAL);
    uint64_t bits = *(const uint64_t *)wanted & ~(1ull << (SIGKILL - 1) | 1ull << (SIGSTOP - 1));
    if (fd == -1)
        return make_signalfd(t, bits, flags, HERE);
    if (!is_descriptor(fd))
        return NATIVE(signalfd)(fd, wanted, flags); // which fails: it can be none
    struct fd_call call = {.ready = ready_at_once, .act = do_set, .fd = fd, .number = bits};
    long result = fd_operate(t, OP_FD_CONTROL, &call, HERE);
    return result < 0 ? fd_signals_wrong((int)-result) : fd;
}

bool signals_are_there(const struct file *f)
{
    return f->references && signals_there(asker) & f->counter;
}

bool signals_can_read(const struct fd_call *call, const struct file *f)
{
    return call->total < sizeof(struct signalfd_siginfo) || signals_there(asker) & f->counter;
}

// As many as there are and find room.
long signals_read(struct fd_call *call, struct file *f)
{
    struct signalfd_siginfo *to = (struct signalfd_siginfo *)(void *)fd_bounce;
    uint32_t most = (uint32_t)((call->total < sizeof fd_bounce ? call->total : sizeof fd_bounce) / sizeof *to);
    if (!most)
        return -EINVAL;
    long n = 0;
    bool of_process;
    for (int number; n < most && (number = signals_take(asker, f->counter, &of_process)); n++)
        to[n] = (struct signalfd_siginfo){.ssi_signo = (uint32_t)number,
                                          .ssi_code = of_process ? SI_USER : SI_TKILL,
                                          .ssi_pid = (uint32_t)forked_number(),
                                          .ssi_uid = getuid()};
    call->changed = true;
    return n * (long)sizeof *to;
}
