// Waiting for descriptors between threads: poll and select. A time-out needs no choice of its own: a call that may run out
// of time looks once, whenever the search lets it, and so looks early in some executions and late in others.
#define _GNU_SOURCE
#undef _FORTIFY_SOURCE
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <time.h>

#include "target/threads/descriptor/endpoints.h"
#include "target/threads/descriptor/timers.h"
#include "target/threads/libc/libc_room.h"
#include "target/threads/outside/outside_room.h"
#include "target/threads/engine/engine_room.h"

enum { READABLE = POLLIN | POLLRDNORM, WRITABLE = POLLOUT | POLLWRNORM, ALWAYS = POLLERR | POLLHUP | POLLNVAL };
enum { MOST_POLLED = 1024 };

#define MILLISECOND (uint64_t)1000000
#define SECOND (uint64_t)1000000000

bool channel_writable(const struct file *f, const struct channel *c)
{
    uint32_t room = c->capacity - c->fill;
    if (f->kind != FILE_SOCKET)
        return room >= ATOMIC_BYTES;
    return c->fill <= c->capacity / 4 && c->pieces < c->most;
}

static uint32_t socket_events(const struct file *f, const struct channel *in, const struct channel *out)
{
    uint32_t events = in->pieces ? READABLE : 0;
    if (in->ended)
        events |= READABLE | POLLRDHUP;
    if (in->ended && out->refuses == EPIPE)
        events |= POLLHUP;
    if (f->reset)
        events |= POLLERR;
    return events | (channel_writable(f, out) || (out->refuses && is_tcp(f)) ? WRITABLE : 0);
}

static uint32_t event_counter_events(const struct file *f)
{
    return (f->counter ? READABLE : 0) | (f->counter < UINT64_MAX - 1 ? WRITABLE : 0);
}

uint32_t file_events(const struct file *f)
{
    const struct channel *in = channel_at(f->in), *out = channel_at(f->out);
    switch ((enum file_kind)f->kind) {
    case FILE_PIPE_READ:
        return (in->pieces ? READABLE : 0) | (in->ended ? POLLHUP : 0);
    case FILE_PIPE_WRITE:
        return (channel_writable(f, out) ? WRITABLE : 0) | (out->refuses ? POLLERR : 0);
    case FILE_SOCKET:
        return is_datagram(f) ? datagram_events(f) : in ? socket_events(f, in, out) : endpoint_events(f);
    case FILE_EVENT:
        return event_counter_events(f);
    case FILE_TIMER:
        return timer_has_expired(f) ? READABLE : 0;
    case FILE_SIGNALS:
        return signals_are_there(f) ? READABLE : 0;
    case FILE_EPOLL:
        return epoll_readable(f) ? READABLE : 0;
    case FILE_NONE:
        break;
    }
    return 0;
}

// ---- what poll and select have in common ----

struct watch {
    int fd;
    uint32_t file; // + 1, as of the first look
    uint32_t wanted, found;
};

struct watches {
    struct watch *list;
    size_t count;
    bool looked;
    size_t kernel, ours; // how many are whose
    uint64_t object;
    uint32_t more; // other objects than that
};

static uint32_t events_at(const struct watch *one, uint32_t file)
{
    const struct file *f = file_at(file);
    return one->fd < 0 ? 0 : f ? file_events(f) & (one->wanted | ALWAYS) : POLLNVAL;
}

static uint32_t events_of(const struct watch *one)
{
    return events_at(one, one->file);
}

// The file that a watch is of, or would be if it looked now.
static uint32_t watched_file(const struct watches *w, size_t i)
{
    return w->looked ? w->list[i].file : open_file(w->list[i].fd);
}

static void each_watched(const struct fd_call *call, void (*each)(struct file *f, void *to), void *to)
{
    const struct watches *w = call->more;
    for (size_t i = 0; i < w->count; i++)
        if (w->list[i].fd >= 0 && w->list[i].wanted & READABLE && watched_file(w, i))
            each(file_at(watched_file(w, i)), to);
}

// Others look, too, on behalf of a thread that sleeps: only the first look leaves something behind.
static bool something_there(struct fd_call *call)
{
    struct watches *w = call->more;
    bool there = false;
    for (size_t i = 0; i < w->count; i++) {
        uint32_t file = watched_file(w, i);
        if (!w->looked && !call->peeks)
            w->list[i].file = file;
        there |= events_at(&w->list[i], file) != 0;
    }
    if (!w->looked && !call->peeks)
        w->looked = true;
    return there;
}

static long what_is_there(struct fd_call *call, struct thread *t)
{
    (void)t;
    struct watches *w = call->more;
    long n = 0;
    for (size_t i = 0; i < w->count; i++) {
        w->list[i].found = events_of(&w->list[i]);
        n += w->list[i].found != 0;
    }
    return n;
}

// Counts whose descriptors they are; those that are nobody's count as the engine's and are not open.
static void fd_poll_sort(struct watches *w)
{
    for (size_t i = 0; i < w->count; i++) {
        int fd = w->list[i].fd;
        if (fd < 0)
            continue;
        if (!is_descriptor(fd)) {
            w->kernel++;
            continue;
        }
        uint64_t object = descriptor_file_object(fd);
        if (!w->ours++)
            w->object = object;
        w->more += object != w->object;
    }
}

long fd_wait(struct thread *t, struct fd_call *call, uint64_t object, bool several, const void *pc)
{
    forked_refuse(t, "waits for pipes, sockets or the like");
    ask(t, OP_FD_POLL, object, fd_place(t, object, several), pc)->operand = (uintptr_t)call;
    return (long)visible(t);
}

// `time` is in nanoseconds; without `ends` it never runs out.
static long fd_poll_wait_for(struct thread *t, struct watches *w, bool ends, uint64_t time, const void *pc)
{
    struct fd_call call = {.ready = something_there,
                           .act = what_is_there,
                           .nonblocking = ends,
                           .patience = time,
                           .each_file = each_watched,
                           .number = w->more,
                           .more = w};
    long n = fd_wait(t, &call, w->ours ? w->object : objects_anywhere(), w->more > 0, pc);
    if (!n)
        t->now += time;
    return n;
}

// ---- poll ----

static int do_poll(struct thread *t, struct pollfd *fds, nfds_t count, bool ends, uint64_t time, const void *pc)
{
    cancel_point(t, pc);
    if (count > MOST_POLLED)
        refuse(t, "poll with more than 1024 descriptors", "use fewer");
    access_read(fds, count * sizeof *fds, pc);
    struct watch list[count + 1];
    struct watches w = {.list = list, .count = count};
    for (nfds_t i = 0; i < count; i++)
        list[i] = (struct watch){.fd = fds[i].fd, .wanted = (uint16_t)fds[i].events};
    fd_poll_sort(&w);
    if (w.kernel && w.ours)
        refuse(t, "poll on pipes, socket pairs or eventfds together with other descriptors", "poll them apart");
    if (w.kernel) {
        outside_use("poll", pc);
        access_write(fds, count * sizeof *fds, pc);
        return NATIVE(poll)(fds, count, ends ? (int)(time / MILLISECOND) : -1);
    }
    long n = fd_poll_wait_for(t, &w, ends, time, pc);
    for (nfds_t i = 0; i < count; i++) {
        access_write(&fds[i].revents, sizeof fds[i].revents, pc);
        fds[i].revents = (short)list[i].found;
    }
    return (int)n;
}

PUBLIC int poll(struct pollfd *fds, nfds_t count, int timeout)
{
    struct thread *t = engine.running;
    if (!t)
        return NATIVE(poll)(fds, count, timeout);
    return do_poll(t, fds, count, timeout >= 0, timeout > 0 ? (uint64_t)timeout * MILLISECOND : 0, HERE);
}

int __poll_chk(struct pollfd *fds, nfds_t count, int timeout, size_t room);
PUBLIC int __poll_chk(struct pollfd *fds, nfds_t count, int timeout, size_t room)
{
    (void)room; // an overflow shows as what it does
    struct thread *t = engine.running;
    if (!t)
        return NATIVE(poll)(fds, count, timeout);
    return do_poll(t, fds, count, timeout >= 0, timeout > 0 ? (uint64_t)timeout * MILLISECOND : 0, HERE);
}

static bool bad_time(const struct timespec *time)
{
    return time->tv_sec < 0 || time->tv_nsec < 0 || (uint64_t)time->tv_nsec >= SECOND;
}

static uint64_t fd_poll_nanoseconds(const struct timespec *time)
{
    return (uint64_t)time->tv_sec * SECOND + (uint64_t)time->tv_nsec;
}

PUBLIC int ppoll(struct pollfd *fds, nfds_t count, const struct timespec *time, const sigset_t *signals)
{
    struct thread *t = engine.running;
    if (!t)
        return NATIVE(ppoll)(fds, count, time, signals);
    if (time)
        access_read(time, sizeof *time, HERE);
    if (time && bad_time(time)) {
        errno = EINVAL;
        return -1;
    }
    return do_poll(t, fds, count, time, time ? fd_poll_nanoseconds(time) : 0, HERE);
}

// ---- select ----

struct sets {
    fd_set *read, *write, *except;
};

static bool fd_poll_has(const fd_set *set, int fd)
{
    return set && ((const unsigned long *)set)[fd / 64] >> (fd % 64) & 1;
}

static uint32_t wanted_of(const struct sets *s, int fd)
{
    return (fd_poll_has(s->read, fd) ? READABLE | POLLRDHUP : 0) | (fd_poll_has(s->write, fd) ? WRITABLE : 0) |
           (fd_poll_has(s->except, fd) ? POLLPRI : 0);
}

static size_t set_bytes(int count)
{
    return ((size_t)count + 63) / 64 * 8;
}

// Leaves in a set what holds; how many that are.
static int fd_poll_filter(fd_set *set, int count, const struct watches *w, uint32_t holds, const void *pc)
{
    if (!set)
        return 0;
    int n = 0;
    access_write(set, set_bytes(count), pc);
    for (size_t i = 0; i < w->count; i++) {
        int fd = w->list[i].fd;
        if (!fd_poll_has(set, fd))
            continue;
        if (w->list[i].found & holds)
            n++;
        else
            ((unsigned long *)set)[fd / 64] &= ~(1ul << (fd % 64));
    }
    return n;
}

static void read_sets(const struct sets *s, int count, const void *pc)
{
    fd_set *const all[] = {s->read, s->write, s->except};
    for (int i = 0; i < 3; i++)
        if (all[i])
            access_read(all[i], set_bytes(count), pc);
}

static void write_sets(const struct sets *s, int count, const void *pc)
{
    fd_set *const all[] = {s->read, s->write, s->except};
    for (int i = 0; i < 3; i++)
        if (all[i])
            access_write(all[i], set_bytes(count), pc);
}

static size_t how_many(const struct sets *s, int count)
{
    size_t n = 0;
    for (int fd = 0; fd < count; fd++)
        n += wanted_of(s, fd) != 0;
    return n;
}

static int do_select(struct thread *t, int count, const struct sets *s, bool ends, uint64_t time, const void *pc)
{
    cancel_point(t, pc);
    read_sets(s, count, pc);
    struct watch list[how_many(s, count) + 1];
    struct watches w = {.list = list};
    for (int fd = 0; fd < count; fd++)
        if (wanted_of(s, fd))
            list[w.count++] = (struct watch){.fd = fd, .wanted = wanted_of(s, fd)};
    fd_poll_sort(&w);
    if (w.kernel && w.ours)
        refuse(t, "select on pipes, socket pairs or eventfds together with other descriptors", "wait for them apart");
    if (w.kernel) {
        struct timespec length = {(time_t)(time / SECOND), (long)(time % SECOND)};
        outside_use("select", pc);
        write_sets(s, count, pc);
        return NATIVE(pselect)(count, s->read, s->write, s->except, ends ? &length : NULL, NULL);
    }
    fd_poll_wait_for(t, &w, ends, time, pc);
    for (size_t i = 0; i < w.count; i++) {
        if (list[i].found & POLLNVAL) {
            errno = EBADF;
            return -1;
        }
    }
    return fd_poll_filter(s->read, count, &w, READABLE | POLLHUP | POLLERR, pc) +
           fd_poll_filter(s->write, count, &w, WRITABLE | POLLERR, pc) +
           fd_poll_filter(s->except, count, &w, POLLPRI, pc);
}

static bool bad_count(int count)
{
    errno = EINVAL;
    return count < 0 || count > FD_SETSIZE;
}

PUBLIC int select(int count, fd_set *restrict read, fd_set *restrict write, fd_set *restrict except,
                  struct timeval *restrict time)
{
    struct thread *t = engine.running;
    if (!t)
        return NATIVE(select)(count, read, write, except, time);
    if (bad_count(count))
        return -1;
    uint64_t length = 0;
    if (time) {
        access_read(time, sizeof *time, HERE);
        if (time->tv_sec < 0 || time->tv_usec < 0) {
            errno = EINVAL;
            return -1;
        }
        length = (uint64_t)time->tv_sec * SECOND + (uint64_t)time->tv_usec * 1000;
    }
    return do_select(t, count, &(struct sets){read, write, except}, time, length, HERE);
}

PUBLIC int pselect(int count, fd_set *restrict read, fd_set *restrict write, fd_set *restrict except,
                   const struct timespec *restrict time, const sigset_t *restrict signals)
{
    struct thread *t = engine.running;
    if (!t)
        return NATIVE(pselect)(count, read, write, except, time, signals);
    if (time)
        access_read(time, sizeof *time, HERE);
    if (bad_count(count) || (time && bad_time(time)))
        return -1;
    return do_select(t, count, &(struct sets){read, write, except}, time, time ? fd_poll_nanoseconds(time) : 0, HERE);
}
