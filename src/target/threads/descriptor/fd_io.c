// Reading and writing of descriptors between threads: read, write, send, receive and their relatives. Other descriptors
// are the kernel's; output to 1 and 2 is the engine's affair.
#define _GNU_SOURCE
#undef _FORTIFY_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/raw.h"
#include "target/threads/descriptor/endpoints.h"
#include "target/threads/descriptor/timers.h"
#include "target/threads/libc/libc_room.h"
#include "target/threads/outside/outside_room.h"
#include "target/threads/engine/engine_room.h"

enum { NEVER_MAPPED = 65536, PAGE = 4096 };

static long fd_io_answer(long result)
{
    if (result >= 0)
        return result;
    errno = (int)-result;
    return -1;
}

// ---- the program's buffers ----

// If memory is not there, that shows in the program and not in the engine.
static void fd_io_touch(const void *start, size_t size, const void *pc)
{
    engine.probing = pc;
    for (size_t at = 0; at < size; at += PAGE)
        (void)((const volatile uint8_t *)start)[at];
    if (size)
        (void)((const volatile uint8_t *)start)[size - 1];
}

// Fills in how it may wait and how much there is; false if a buffer cannot be one.
static bool fd_io_prepare(struct fd_call *call, const void *pc, bool reads)
{
    if (unlikely(engine.clears_far))
        state_clear_stack(); // as fd_operate does
    call->unready = EAGAIN;
    call->obeys = true;
    call->nonblocking = call->flags & MSG_DONTWAIT;
    if (!call->own_parts)
        access_read(call->parts, call->count * sizeof *call->parts, pc);
    for (size_t i = 0; i < call->count; i++) {
        const struct iovec *part = &call->parts[i];
        if (part->iov_len && (uintptr_t)part->iov_base < NEVER_MAPPED)
            return false;
        fd_io_touch(part->iov_base, part->iov_len, pc);
        if (reads && !call->own_parts)
            access_read(part->iov_base, part->iov_len, pc);
        call->total += part->iov_len;
    }
    if (call->most && call->total > call->most)
        call->total = call->most;
    return true;
}

// Hands over what was read. It leaves the bounce buffer first: telling of an access may let other threads run.
static void fd_io_deliver(const struct fd_call *call, size_t size, const void *pc)
{
    uint8_t copy[size + 1];
    plain_move(copy, fd_bounce, size);
    size_t skip = call->done, given = 0;
    for (size_t i = 0; i < call->count && given < size; i++) {
        size_t length = call->parts[i].iov_len, from = skip < length ? skip : length;
        size_t part = length - from < size - given ? length - from : size - given;
        uint8_t *to = (uint8_t *)call->parts[i].iov_base + from;
        access_write(to, part, pc);
        plain_move(to, copy + given, part);
        skip -= from;
        given += part;
    }
}

// ---- reading ----

static bool can_read(struct fd_call *call)
{
    struct file *f = file_of(call);
    if (!f)
        return true;
    if (f->kind == FILE_EVENT)
        return event_can_read(call, f);
    if (f->kind == FILE_TIMER)
        return call->total < sizeof(uint64_t) || timer_has_expired(f);
    if (f->kind == FILE_SIGNALS)
        return signals_can_read(call, f);
    struct channel *in = channel_at(f->in);
    return !in || (!call->total && !in->messages) || f->reset || channel_can_take(in);
}

static long do_read(struct fd_call *call, struct thread *t)
{
    struct file *f = file_of(call);
    if (!f)
        return -EBADF;
    if (f->kind == FILE_EVENT)
        return event_read(call, t, f);
    if (f->kind == FILE_TIMER)
        return timer_read(call, t, f);
    if (f->kind == FILE_SIGNALS)
        return signals_read(call, f);
    if (f->kind == FILE_EPOLL)
        return -EINVAL;
    struct channel *in = channel_at(f->in);
    if (!in)
        return f->kind == FILE_SOCKET ? -ENOTCONN : -EBADF;
    if (f->reset && is_datagram(f))
        return datagram_error(call, f);
    if (f->reset == ECONNRESET && !in->pieces) {
        keep_file(f);
        f->reset = 0;
        call->changed = true;
        return -ECONNRESET;
    }
    bool full = !channel_writable(f, in);
    long n = (long)channel_take(t, in, call);
    if (full && channel_writable(f, in))
        in->drained++;
    return n;
}

// ---- writing ----

static bool can_write(struct fd_call *call)
{
    struct file *f = file_of(call);
    if (!f)
        return true;
    if (f->kind == FILE_EVENT)
        return event_can_write(call, f);
    if (is_datagram(f))
        return f->reset || datagram_has_room(call, f);
    struct channel *out = channel_at(f->out);
    return !out || out->refuses || out->orphaned || (out->messages && call->total > out->capacity) ||
           channel_can_put(out, call->total - call->done);
}

static long refuse_write(struct fd_call *call, struct file *f, struct channel *out)
{
    int error = (int)out->refuses;
    if (f->reset && is_tcp(f)) { // said once; from then on the connection is gone
        error = (int)f->reset;
        keep_file(f);
        f->reset = 0;
        call->changed = true;
    }
    call->raises = error == EPIPE && (f->kind == FILE_PIPE_WRITE || f->type == SOCK_STREAM);
    if (error == ECONNREFUSED) { // said once; from then on there is no peer
        undo_save(&engine.undo, out, sizeof *out);
        out->refuses = ENOTCONN;
        call->changed = true;
    }
    return -error;
}

// The other machine answers what comes for a closed socket with a reset, of which the writer learns only later.
static long write_in_vain(struct fd_call *call, struct thread *t, struct file *f, struct channel *out)
{
    keep_file(f);
    f->reset = EPIPE;
    f->written++; // an edge for epoll
    channel_end(t, out, EPIPE, false);
    call->changed = true;
    return (long)(call->total - call->done);
}

static long do_write(struct fd_call *call, struct thread *t)
{
    struct file *f = file_of(call);
    if (!f)
        return -EBADF;
    if (f->kind == FILE_EVENT)
        return event_write(call, t, f);
    if (f->kind == FILE_EPOLL || f->kind == FILE_TIMER || f->kind == FILE_SIGNALS)
        return -EINVAL;
    if (is_datagram(f))
        return datagram_send(call, t, f);
    struct channel *out = channel_at(f->out);
    if (!out)
        return f->kind == FILE_SOCKET ? -ENOTCONN : -EBADF;
    if (!call->total && !out->messages)
        return 0;
    if (out->refuses)
        return refuse_write(call, f, out);
    if (out->orphaned)
        return write_in_vain(call, t, f, out);
    if (out->messages && call->total > out->capacity)
        return -EMSGSIZE;
    call->changed = true;
    return (long)channel_put(t, out, call);
}

// ---- calls ----

// Whether a part may be transferred: of a stream, but not of a message or a counter.
static bool may_be_short(int fd)
{
    const struct file *f = is_descriptor(fd) ? file_at(open_file(fd)) : NULL;
    return !f || f->kind == FILE_PIPE_READ || f->kind == FILE_PIPE_WRITE ||
           (f->kind == FILE_SOCKET && f->type == SOCK_STREAM);
}

// Whether the call fails; if it does not, it may be left less to transfer.
bool fd_transfer_fails(enum fault_family family, const char *name, int fd, size_t *size, const void *pc)
{
    size_t part = *size;
    if (faults_transfer(family, name, &part, pc))
        return true;
    if (may_be_short(fd))
        *size = part;
    return false;
}

static bool is_socket(int fd)
{
    const struct file *f = file_at(open_file(fd));
    return !f || f->kind == FILE_SOCKET; // of a closed one the call itself will say so
}

long fd_receive(struct thread *t, struct fd_call *call, const void *pc)
{
    call->ready = can_read;
    call->act = do_read;
    call->looks_at_timer = true;
    if (!fd_io_prepare(call, pc, false))
        return -EFAULT;
    for (;;) {
        cancel_point(t, pc);
        long n = fd_operate(t, OP_FD_READ, call, pc);
        if (n < 0)
            return call->done ? (long)call->done : n;
        fd_io_deliver(call, (size_t)n, pc);
        call->done += (size_t)n;
        if (!n || !(call->flags & MSG_WAITALL) || call->done == call->total || call->truncated)
            return (long)call->done;
    }
}

static void raise_sigpipe(struct thread *t, const void *pc)
{
    signal_look(SIGPIPE, pc);
    if (signal_ends_process(t, SIGPIPE))
        fail_and_stop(t, BUG_SIGNAL, 0, pc, "SIGPIPE: writes to a pipe or socket that nobody reads any more");
    signal_self(t, SIGPIPE, pc);
}

long fd_transmit(struct thread *t, struct fd_call *call, const void *pc)
{
    call->ready = can_write;
    call->act = do_write;
    if (!fd_io_prepare(call, pc, true))
        return -EFAULT;
    call->lost = datagram_gets_lost(call->fd, pc);
    long n;
    do { // more than fits goes in pieces
        cancel_point(t, pc);
        n = fd_operate(t, OP_FD_WRITE, call, pc);
        if (n > 0)
            call->done += (size_t)n;
    } while (n > 0 && call->done < call->total && !call->nonblocking && file_at(call->file)->kind != FILE_EVENT);
    if (call->raises && !(call->flags & MSG_NOSIGNAL))
        raise_sigpipe(t, pc);
    return call->done ? (long)call->done : n;
}

// A read of the kernel's: how much it writes is known only afterwards.
static ssize_t read_kernel(int fd, void *to, size_t size, const void *pc)
{
    static uint8_t space[CHANNEL_BYTES];
    cancel_point(engine.running, pc);
    outside_use("read", pc);
    input_note_read(fd);
    long n = raw_call(SYS_read, fd, (long)space, (long)(size < sizeof space ? size : sizeof space));
    if (n > 0) {
        uint8_t copy[n];
        plain_move(copy, space, (size_t)n);
        access_write(to, (size_t)n, pc);
        plain_move(to, copy, (size_t)n);
    }
    return fd_io_answer(n);
}

static ssize_t write_kernel(int fd, const void *from, size_t size, const void *pc)
{
    bool prints = output_is_standard(fd);
    if (!prints)
        outside_use("write", pc);
    access_read(from, size, pc);
    if (!prints)
        return fd_io_answer(raw_call(SYS_write, fd, (long)from, (long)size));
    fd_io_touch(from, size, pc);
    output_write(fd, from, size);
    return (ssize_t)size;
}

static ssize_t read_one(int fd, void *to, size_t size, int flags, const void *pc)
{
    struct iovec part = {to, size};
    struct fd_call call = {.fd = fd, .flags = flags, .parts = &part, .count = 1};
    if (!is_descriptor(fd))
        return read_kernel(fd, to, size, pc);
    return fd_io_answer(fd_receive(engine.running, &call, pc));
}

PUBLIC ssize_t read(int fd, void *to, size_t size)
{
    if (fd_transfer_fails(FAULT_READ, "read", fd, &size, HERE))
        return -1;
    if (engine.running && is_random_descriptor(fd))
        return getrandom(to, size, 0);
    return engine.running ? read_one(fd, to, size, 0, HERE) : NATIVE(read)(fd, to, size);
}

ssize_t __read_chk(int fd, void *to, size_t size, size_t room);
PUBLIC ssize_t __read_chk(int fd, void *to, size_t size, size_t room)
{
    (void)room; // an overflow shows as what it does
    if (fd_transfer_fails(FAULT_READ, "read", fd, &size, HERE))
        return -1;
    return engine.running ? read_one(fd, to, size, 0, HERE) : NATIVE(read)(fd, to, size);
}

PUBLIC ssize_t write(int fd, const void *from, size_t size)
{
    if (!engine.running)
        return NATIVE(write)(fd, from, size);
    if (fd_transfer_fails(FAULT_WRITE, "write", fd, &size, HERE))
        return -1;
    if (!is_descriptor(fd)) {
        cancel_point(engine.running, HERE);
        return write_kernel(fd, from, size, HERE);
    }
    struct iovec part = {(void *)(uintptr_t)from, size};
    struct fd_call call = {.fd = fd, .parts = &part, .count = 1};
    return fd_io_answer(fd_transmit(engine.running, &call, HERE));
}

// As the C library does it: what is left after a part is written again.
bool descriptor_print(int fd, const char *text, size_t size, const void *pc)
{
    for (size_t done = 0; done < size;) {
        struct iovec part = {(void *)(uintptr_t)(text + done), size - done};
        struct fd_call call = {.fd = fd, .parts = &part, .count = 1, .own_parts = true};
        if (fd_transfer_fails(FAULT_WRITE, "dprintf", fd, &part.iov_len, pc))
            return false;
        ssize_t n = fd_io_answer(fd_transmit(engine.running, &call, pc));
        if (n < 0)
            return false;
        done += (size_t)n;
    }
    return true;
}

static bool bad_count(int count)
{
    errno = EINVAL;
    return count < 0 || count > IOV_MAX;
}

PUBLIC ssize_t readv(int fd, const struct iovec *parts, int count)
{
    if (!engine.running)
        return NATIVE(readv)(fd, parts, count);
    if (bad_count(count))
        return -1;
    size_t most = SIZE_MAX;
    if (is_descriptor(fd) && fd_transfer_fails(FAULT_READ, "readv", fd, &most, HERE))
        return -1;
    struct fd_call call = {.fd = fd, .parts = parts, .count = (size_t)count, .most = most};
    if (is_descriptor(fd))
        return fd_io_answer(fd_receive(engine.running, &call, HERE));
    cancel_point(engine.running, HERE);
    outside_use("readv", HERE);
    input_note_read(fd);
    access_read(parts, (size_t)count * sizeof *parts, HERE);
    for (int i = 0; i < count; i++)
        access_write(parts[i].iov_base, parts[i].iov_len, HERE);
    return NATIVE(readv)(fd, parts, count);
}

PUBLIC ssize_t writev(int fd, const struct iovec *parts, int count)
{
    if (!engine.running)
        return NATIVE(writev)(fd, parts, count);
    if (bad_count(count))
        return -1;
    size_t most = SIZE_MAX;
    if (is_descriptor(fd) && fd_transfer_fails(FAULT_WRITE, "writev", fd, &most, HERE))
        return -1;
    struct fd_call call = {.fd = fd, .parts = parts, .count = (size_t)count, .most = most};
    if (is_descriptor(fd))
        return fd_io_answer(fd_transmit(engine.running, &call, HERE));
    cancel_point(engine.running, HERE);
    ssize_t all = 0;
    access_read(parts, (size_t)count * sizeof *parts, HERE);
    for (int i = 0; i < count; i++) {
        ssize_t n = write_kernel(fd, parts[i].iov_base, parts[i].iov_len, HERE);
        if (n < 0)
            return all ? all : -1;
        all += n;
    }
    return all;
}

enum { RECEIVE_FLAGS = MSG_PEEK | MSG_DONTWAIT | MSG_WAITALL | MSG_TRUNC | MSG_CMSG_CLOEXEC | MSG_NOSIGNAL };
enum { SEND_FLAGS = MSG_DONTWAIT | MSG_NOSIGNAL | MSG_EOR | MSG_MORE };

static long check_socket(struct thread *t, int fd, int flags, int known, const char *name)
{
    if (flags & ~known)
        refuse(t, name, "use it without that flag");
    return is_socket(fd) ? 0 : -ENOTSOCK;
}

// What recv answers: with MSG_TRUNC the length of the message, whatever of it found room.
static long received(const struct fd_call *call, long n)
{
    return n >= 0 && call->flags & MSG_TRUNC ? n + call->truncated : n;
}

// Whom a datagram came from. Others have no name to give, nor has a Unix socket that was never bound.
static void give_sender(const struct fd_call *call, struct sockaddr *to, socklen_t *size, const void *pc)
{
    const struct endpoint *e = call->from ? endpoint_of(file_at(call->from)) : NULL;
    if (!to || !size)
        return;
    if (e && (e->own.port || e->own.length)) {
        endpoint_give_name(&e->own, to, size, pc);
        return;
    }
    access_write(size, sizeof *size, pc);
    *size = 0;
}

static ssize_t receive_one(int fd, void *to, size_t size, int flags, struct sockaddr *from, socklen_t *length,
                           const void *pc)
{
    struct thread *t = engine.running;
    long wrong = check_socket(t, fd, flags, RECEIVE_FLAGS, "recv with a flag");
    if (wrong)
        return fd_io_answer(wrong);
    struct iovec part = {to, size};
    struct fd_call call = {.fd = fd, .flags = flags, .parts = &part, .count = 1};
    long n = fd_receive(t, &call, pc);
    if (n >= 0)
        give_sender(&call, from, length, pc);
    return fd_io_answer(received(&call, n));
}

PUBLIC ssize_t recv(int fd, void *to, size_t size, int flags)
{
    if (fd_transfer_fails(FAULT_READ, "recv", fd, &size, HERE))
        return -1;
    if (!engine.running || !is_descriptor(fd))
        return USING(recv)(fd, to, size, flags);
    return receive_one(fd, to, size, flags, NULL, NULL, HERE);
}

PUBLIC ssize_t recvfrom(int fd, void *restrict to, size_t size, int flags, struct sockaddr *restrict from,
                        socklen_t *restrict length)
{
    if (fd_transfer_fails(FAULT_READ, "recvfrom", fd, &size, HERE))
        return -1;
    if (!engine.running || !is_descriptor(fd))
        return USING(recvfrom)(fd, to, size, flags, from, length);
    return receive_one(fd, to, size, flags, from, length, HERE);
}

// Reads the address that a message is for, into `name`; the negated error number if there is something wrong with it.
static long read_receiver(struct thread *t, int fd, const struct sockaddr *to, socklen_t length,
                          struct endpoint_name *name, const void *pc)
{
    const struct file *f = file_at(open_file(fd));
    if (f && !is_datagram(f))
        refuse(t, "sending to an address by a socket that is none of datagrams", "use send");
    int wrong = endpoint_read_name(to, length, name, pc);
    if (wrong == EADDRNOTAVAIL)
        unsupported(t, "the program sends to another machine; heddle follows messages between its own threads");
    return wrong == EAFNOSUPPORT && name->family == AF_UNSPEC ? -EINVAL : -wrong;
}

static ssize_t send_one(int fd, const void *from, size_t size, int flags, struct endpoint_name *to, const void *pc)
{
    struct thread *t = engine.running;
    long wrong = check_socket(t, fd, flags, SEND_FLAGS, "send with a flag");
    if (wrong)
        return fd_io_answer(wrong);
    struct iovec part = {(void *)(uintptr_t)from, size};
    struct fd_call call = {.fd = fd, .flags = flags, .parts = &part, .count = 1, .more = to};
    return fd_io_answer(fd_transmit(t, &call, pc));
}

PUBLIC ssize_t send(int fd, const void *from, size_t size, int flags)
{
    if (fd_transfer_fails(FAULT_WRITE, "send", fd, &size, HERE))
        return -1;
    if (!engine.running || !is_descriptor(fd))
        return USING(send)(fd, from, size, flags);
    return send_one(fd, from, size, flags, NULL, HERE);
}

PUBLIC ssize_t sendto(int fd, const void *from, size_t size, int flags, const struct sockaddr *to, socklen_t length)
{
    if (fd_transfer_fails(FAULT_WRITE, "sendto", fd, &size, HERE))
        return -1;
    if (!engine.running || !is_descriptor(fd))
        return USING(sendto)(fd, from, size, flags, to, length);
    struct endpoint_name name;
    long wrong = to ? read_receiver(engine.running, fd, to, length, &name, HERE) : 0;
    return wrong ? fd_io_answer(wrong) : send_one(fd, from, size, flags, to ? &name : NULL, HERE);
}

PUBLIC ssize_t sendmsg(int fd, const struct msghdr *message, int flags)
{
    struct thread *t = engine.running;
    if (!t || !is_descriptor(fd))
        return USING(sendmsg)(fd, message, flags);
    access_read(message, sizeof *message, HERE);
    long wrong = check_socket(t, fd, flags, SEND_FLAGS, "sendmsg with a flag");
    if (wrong)
        return fd_io_answer(wrong);
    if (message->msg_controllen)
        refuse(t, "sendmsg with control data", "pass descriptors by shared memory");
    struct endpoint_name name;
    if (message->msg_name)
        wrong = read_receiver(t, fd, message->msg_name, message->msg_namelen, &name, HERE);
    if (wrong)
        return fd_io_answer(wrong);
    size_t most = SIZE_MAX;
    if (fd_transfer_fails(FAULT_WRITE, "sendmsg", fd, &most, HERE))
        return -1;
    struct fd_call call = {
        .fd = fd, .flags = flags, .parts = message->msg_iov, .count = message->msg_iovlen, .most = most};
    call.more = message->msg_name ? &name : NULL;
    return fd_io_answer(fd_transmit(t, &call, HERE));
}

PUBLIC ssize_t recvmsg(int fd, struct msghdr *message, int flags)
{
    struct thread *t = engine.running;
    if (!t || !is_descriptor(fd))
        return USING(recvmsg)(fd, message, flags);
    access_read(message, sizeof *message, HERE);
    long wrong = check_socket(t, fd, flags, RECEIVE_FLAGS, "recvmsg with a flag");
    if (wrong)
        return fd_io_answer(wrong);
    size_t most = SIZE_MAX;
    if (fd_transfer_fails(FAULT_READ, "recvmsg", fd, &most, HERE))
        return -1;
    struct fd_call call = {
        .fd = fd, .flags = flags, .parts = message->msg_iov, .count = message->msg_iovlen, .most = most};
    long n = fd_receive(t, &call, HERE);
    if (n >= 0) {
        access_write(message, sizeof *message, HERE);
        if (message->msg_name)
            give_sender(&call, message->msg_name, &message->msg_namelen, HERE);
        else
            message->msg_namelen = 0;
        message->msg_controllen = 0;
        message->msg_flags = call.truncated ? MSG_TRUNC : 0;
    }
    return fd_io_answer(received(&call, n));
}
