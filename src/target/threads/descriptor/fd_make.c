// Making, duplicating, changing and closing descriptors between threads.
#define _GNU_SOURCE
#undef _FORTIFY_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "target/threads/descriptor/endpoints.h"
#include "target/threads/engine/engine_room.h"
#include "target/threads/library/library_room.h"
#include "target/threads/libc/libc_room.h"
#include "target/threads/outside/outside_room.h"

enum { MOST_DATAGRAMS = 11 }; // what the kernel queues by default (net.unix.max_dgram_qlen and one more)

static int fd_make_wrong(int error)
{
    errno = error;
    return -1;
}

// ---- making ----

static int make_pipe(struct thread *t, int ends[2], int flags, const void *pc)
{
    if (flags & O_DIRECT)
        refuse(t, "pipe2 with O_DIRECT", "use a socketpair of type SOCK_SEQPACKET");
    if (flags & ~(O_NONBLOCK | O_CLOEXEC))
        return fd_make_wrong(EINVAL);
    if (descriptors_of_kernel())
        outside_use("pipe", pc);
    access_write(ends, 2 * sizeof *ends, pc);
    if (descriptors_of_kernel())
        return NATIVE(pipe2)(ends, flags);
    uint64_t object = descriptor_object(t);
    uint32_t reading = file_new(t, FILE_PIPE_READ, object, (uint32_t)flags);
    uint32_t writing = file_new(t, FILE_PIPE_WRITE, object, (uint32_t)flags);
    uint32_t channel = channel_new(CHANNEL_BYTES, false);
    file_at(reading)->in = file_at(writing)->out = channel;
    ends[0] = descriptor_new(t, reading, 0, flags & O_CLOEXEC);
    ends[1] = descriptor_new(t, writing, 0, flags & O_CLOEXEC);
    descriptor_made(t, "pipe", object, pc);
    return 0;
}

PUBLIC int pipe(int ends[2])
{
    if (engine.running)
        return make_pipe(engine.running, ends, 0, HERE);
    early_refuse("makes a pipe", HERE);
    return NATIVE(pipe)(ends);
}

PUBLIC int pipe2(int ends[2], int flags)
{
    if (engine.running)
        return make_pipe(engine.running, ends, flags, HERE);
    early_refuse("makes a pipe", HERE);
    return NATIVE(pipe2)(ends, flags);
}

uint32_t make_socket(struct thread *t, uint64_t object, int type, int flags)
{
    uint32_t number = file_new(t, FILE_SOCKET, object, flags & SOCK_NONBLOCK ? O_NONBLOCK : 0);
    file_at(number)->type = (uint32_t)type;
    return number;
}

static void make_direction(struct file *from, struct file *to)
{
    uint32_t number = channel_new(CHANNEL_BYTES, from->type != SOCK_STREAM);
    if (from->type == SOCK_DGRAM)
        channel_at(number)->most = MOST_DATAGRAMS;
    from->out = to->in = number;
    from->peer = file_number(to);
}

void sockets_join(struct file *one, struct file *other)
{
    make_direction(one, other);
    make_direction(other, one);
}

PUBLIC int socketpair(int domain, int type, int protocol, int ends[2])
{
    struct thread *t = engine.running;
    if (!t) {
        early_refuse("makes a socket pair", HERE);
        return NATIVE(socketpair)(domain, type, protocol, ends);
    }
    int flags = type & (SOCK_NONBLOCK | SOCK_CLOEXEC), kind = type & ~flags;
    if (kind == SOCK_RAW) // as the kernel has it
        kind = SOCK_DGRAM;
    if (domain != AF_UNIX)
        return fd_make_wrong(domain == AF_INET || domain == AF_INET6 ? EOPNOTSUPP : EAFNOSUPPORT);
    if (protocol && protocol != AF_UNIX)
        return fd_make_wrong(EPROTONOSUPPORT);
    if (kind < 0 || kind > SOCK_PACKET)
        return fd_make_wrong(EINVAL);
    if (kind != SOCK_STREAM && kind != SOCK_DGRAM && kind != SOCK_SEQPACKET)
        return fd_make_wrong(ESOCKTNOSUPPORT);
    if (descriptors_of_kernel())
        outside_use("socketpair", HERE);
    access_write(ends, 2 * sizeof *ends, HERE);
    if (descriptors_of_kernel())
        return NATIVE(socketpair)(domain, type, protocol, ends);
    uint64_t object = descriptor_object(t);
    uint32_t one = make_socket(t, object, kind, flags), other = make_socket(t, object, kind, flags);
    sockets_join(file_at(one), file_at(other));
    ends[0] = descriptor_new(t, one, 0, type & SOCK_CLOEXEC);
    ends[1] = descriptor_new(t, other, 0, type & SOCK_CLOEXEC);
    descriptor_made(t, "socket pair", object, HERE);
    return 0;
}

// ---- changing ----

int fd_control(struct thread *t, int fd, long (*act)(struct fd_call *, struct thread *), int command, uint64_t number,
               const void *pc)
{
    struct fd_call call = {.ready = ready_at_once, .act = act, .fd = fd, .flags = command, .number = number};
    long result = fd_operate(t, act == descriptor_close ? OP_FD_CLOSE : OP_FD_CONTROL, &call, pc);
    return result < 0 ? fd_make_wrong((int)-result) : (int)result;
}

PUBLIC int close(int fd)
{
    if (engine.running)
        cancel_point(engine.running, HERE);
    if (engine.running && is_random_descriptor(fd))
        return 0; // it stays open, so that its number is the same each time
    if (!engine.running || !is_descriptor(fd))
        return USING(close)(fd);
    return fd_control(engine.running, fd, descriptor_close, 0, 0, HERE);
}

static int access_mode(const struct file *f)
{
    return f->kind == FILE_PIPE_READ ? O_RDONLY : f->kind == FILE_PIPE_WRITE ? O_WRONLY : O_RDWR;
}

static long fd_make_resize(struct fd_call *call, struct file *f)
{
    struct channel *c = channel_at(f->in ? f->in : f->out);
    if (f->kind != FILE_PIPE_READ && f->kind != FILE_PIPE_WRITE)
        return -EBADF;
    if (call->flags == F_GETPIPE_SZ)
        return c->capacity;
    uint32_t size = ATOMIC_BYTES;
    while (size < call->number && size < CHANNEL_BYTES)
        size *= 2;
    if (size < call->number)
        return -EPERM;
    if (size < c->fill)
        return -EBUSY;
    undo_save(&engine.undo, c, sizeof *c);
    c->capacity = size;
    call->changed = true;
    return size;
}

static long do_fcntl(struct fd_call *call, struct thread *t)
{
    struct file *f = file_of(call);
    if (!f)
        return -EBADF;
    switch (call->flags) {
    case F_GETFL:
        return access_mode(f) | (int)f->flags;
    case F_SETFL:
        keep_file(f);
        f->flags = (uint32_t)call->number & O_NONBLOCK;
        call->changed = true;
        return 0;
    case F_GETFD:
        return *descriptor_flags(call->fd);
    case F_SETFD:
        *descriptor_flags(call->fd) = (uint32_t)call->number & FD_CLOEXEC;
        call->changed = true;
        return 0;
    case F_DUPFD:
    case F_DUPFD_CLOEXEC:
        call->changed = true;
        return descriptor_new(t, call->file, (int)call->number, call->flags == F_DUPFD_CLOEXEC);
    default:
        return fd_make_resize(call, f);
    }
}

static int fd_make_change(struct thread *t, int fd, int command, uint64_t number, const void *pc)
{
    switch (command) {
    case F_GETFL:
    case F_SETFL:
    case F_GETFD:
    case F_SETFD:
    case F_GETPIPE_SZ:
    case F_SETPIPE_SZ:
        break;
    case F_DUPFD:
    case F_DUPFD_CLOEXEC:
        if ((int)number < 0 || (int)number > 1 << 16)
            return fd_make_wrong(EINVAL);
        break;
    default:
        refuse(t, "fcntl with this command on a pipe, socket pair or eventfd", "see docs/descriptors.md");
    }
    return fd_control(t, fd, do_fcntl, command, number, pc);
}

#define FCNTL(name)                                                                                                    \
    PUBLIC int name(int fd, int command, ...)                                                                          \
    {                                                                                                                  \
        va_list arguments;                                                                                             \
        va_start(arguments, command);                                                                                  \
        long number = va_arg(arguments, long);                                                                         \
        va_end(arguments);                                                                                             \
        if (!engine.running || !is_descriptor(fd))                                                                     \
            return USING(name)(fd, command, number);                                                                   \
        return fd_make_change(engine.running, fd, command, (uint64_t)number, HERE);                                    \
    }

FCNTL(fcntl)
#undef fcntl64
int fcntl64(int fd, int command, ...);
FCNTL(fcntl64)

PUBLIC int dup(int fd)
{
    if (!engine.running || !is_descriptor(fd))
        return USING(dup)(fd);
    return fd_control(engine.running, fd, do_fcntl, F_DUPFD, 0, HERE);
}

static long do_readable(struct fd_call *call, struct thread *t)
{
    (void)t;
    struct file *f = file_of(call);
    if (!f)
        return -EBADF;
    const struct channel *c = channel_at(f->in ? f->in : f->out); // of a pipe either end may ask
    if (!c)
        return -ENOTTY;
    return (long)(f->type == SOCK_SEQPACKET ? c->fill : channel_next(c));
}

PUBLIC int ioctl(int fd, unsigned long command, ...)
{
    va_list arguments;
    va_start(arguments, command);
    int *where = va_arg(arguments, int *);
    va_end(arguments);
    struct thread *t = engine.running;
    if (!t || !is_descriptor(fd))
        return USING(ioctl)(fd, command, where);
    if (command == FIONREAD) {
        int n = fd_control(t, fd, do_readable, 0, 0, HERE);
        if (n < 0)
            return -1;
        access_write(where, sizeof *where, HERE);
        *where = n;
        return 0;
    }
    if (command != FIONBIO)
        refuse(t, "ioctl other than FIONREAD and FIONBIO on a pipe, socket pair or eventfd", "see docs/descriptors.md");
    access_read(where, sizeof *where, HERE);
    return fd_control(t, fd, do_fcntl, F_SETFL, *where ? O_NONBLOCK : 0, HERE);
}

// A listener stops listening.
static long shutdown_unconnected(struct fd_call *call, struct thread *t, struct file *f)
{
    if (endpoint_of(f)->state != ENDPOINT_LISTENS)
        return -ENOTCONN;
    endpoint_end(t, f);
    call->changed = true;
    return 0;
}

static long do_shutdown(struct fd_call *call, struct thread *t)
{
    struct file *f = file_of(call);
    if (!f)
        return -EBADF;
    if (f->kind != FILE_SOCKET)
        return -ENOTSOCK;
    if (is_datagram(f))
        return datagram_shutdown(call, t, f);
    bool datagrams = f->type == SOCK_DGRAM;
    if (!f->in)
        return shutdown_unconnected(call, t, f);
    if (call->flags == SHUT_RD || call->flags == SHUT_RDWR)
        channel_end(t, channel_at(f->in), is_tcp(f) ? 0 : EPIPE, true); // TCP does not tell who writes
    if (call->flags == SHUT_WR || call->flags == SHUT_RDWR)
        channel_end(t, channel_at(f->out), EPIPE, !datagrams);
    call->changed = true;
    return 0;
}

PUBLIC int shutdown(int fd, int how)
{
    if (!engine.running || !is_descriptor(fd))
        return USING(shutdown)(fd, how);
    if (how != SHUT_RD && how != SHUT_WR && how != SHUT_RDWR)
        return fd_make_wrong(EINVAL);
    return fd_control(engine.running, fd, do_shutdown, how, 0, HERE);
}
