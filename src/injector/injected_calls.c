// Reading and writing by descriptors, and functions of the C library whose first argument is corrupted.
#define _GNU_SOURCE
#undef _FORTIFY_SOURCE
#include "injector/injected_size.h"
#include "injector/injector.h"
#include "injector/injector_trace.h"

#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

// ---- what is transferred ----
size_t injected_size(enum injection_way way, size_t size)
{
    if (way == INJECT_SHORT && size > 1) {
        injector_done();
        return 1;
    }
    if (way == INJECT_LARGER) {
        injector_done();
        return size * 2;
    }
    return size;
}

// As the kernel's calls are asked for by the program: with the offset of either size, and checked as _FORTIFY_SOURCE has it.
#define TRANSFER(result, name, call, parameters, arguments, op)                                                        \
    result name parameters;                                                                                            \
    PUBLIC result name parameters                                                                                      \
    {                                                                                                                  \
        enum injection_way way = injector_asks(call, HERE);                                                            \
        if (injector_fails(way))                                                                                       \
            return -1;                                                                                                 \
        size = injected_size(way, size);                                                                               \
        result n = NEXT(name) arguments;                                                                               \
        trace_access(data, n > 0 ? (size_t)n : 0, op, HERE);                                                           \
        return n;                                                                                                      \
    }
#define RECEIVES(name, call, parameters, arguments)                                                                    \
    TRANSFER(ssize_t, name, call, parameters, arguments, CANONICAL_WRITE_RANGE)
#define SENDS(name, call, parameters, arguments)                                                                       \
    TRANSFER(ssize_t, name, call, parameters, arguments, CANONICAL_READ_RANGE)

RECEIVES(read, CALL_READ, (int fd, void *data, size_t size), (fd, data, size))
RECEIVES(__read_chk, CALL_READ, (int fd, void *data, size_t size, size_t room), (fd, data, size, room))
RECEIVES(pread, CALL_PREAD, (int fd, void *data, size_t size, off_t at), (fd, data, size, at))
RECEIVES(pread64, CALL_PREAD, (int fd, void *data, size_t size, off64_t at), (fd, data, size, at))
RECEIVES(__pread_chk, CALL_PREAD, (int fd, void *data, size_t size, off_t at, size_t room), (fd, data, size, at, room))
RECEIVES(__pread64_chk, CALL_PREAD, (int fd, void *data, size_t size, off64_t at, size_t room),
         (fd, data, size, at, room))
RECEIVES(recv, CALL_RECV, (int fd, void *data, size_t size, int flags), (fd, data, size, flags))
RECEIVES(__recv_chk, CALL_RECV, (int fd, void *data, size_t size, size_t room, int flags),
         (fd, data, size, room, flags))
RECEIVES(recvfrom, CALL_RECVFROM,
         (int fd, void *restrict data, size_t size, int flags, struct sockaddr *restrict address,
          socklen_t *restrict length),
         (fd, data, size, flags, address, length))
RECEIVES(__recvfrom_chk, CALL_RECVFROM,
         (int fd, void *restrict data, size_t size, size_t room, int flags, struct sockaddr *restrict address,
          socklen_t *restrict length),
         (fd, data, size, room, flags, address, length))
SENDS(write, CALL_WRITE, (int fd, const void *data, size_t size), (fd, data, size))
SENDS(pwrite, CALL_PWRITE, (int fd, const void *data, size_t size, off_t at), (fd, data, size, at))
SENDS(pwrite64, CALL_PWRITE, (int fd, const void *data, size_t size, off64_t at), (fd, data, size, at))
SENDS(send, CALL_SEND, (int fd, const void *data, size_t size, int flags), (fd, data, size, flags))
SENDS(sendto, CALL_SENDTO,
      (int fd, const void *data, size_t size, int flags, const struct sockaddr *address, socklen_t length),
      (fd, data, size, flags, address, length))

// ---- pieces ----

// One byte of the first piece that has any.
static struct iovec first_byte(const struct iovec *pieces, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (pieces[i].iov_len) {
            injector_done();
            return (struct iovec){pieces[i].iov_base, 1};
        }
    return (struct iovec){NULL, 0};
}

// What was transferred, piece by piece.
static void trace_pieces(const struct iovec *pieces, size_t count, ssize_t n, enum canonical_op op, const void *pc)
{
    for (size_t i = 0; i < count && n > 0; i++) {
        size_t part = pieces[i].iov_len < (size_t)n ? pieces[i].iov_len : (size_t)n;
        trace_access(pieces[i].iov_base, part, op, pc);
        n -= (ssize_t)part;
    }
}

#define IN_PIECES(name, call, op)                                                                                      \
    PUBLIC ssize_t name(int fd, const struct iovec *pieces, int count)                                                 \
    {                                                                                                                  \
        enum injection_way way = injector_asks(call, HERE);                                                            \
        size_t all = count > 0 ? (size_t)count : 0;                                                                    \
        if (injector_fails(way))                                                                                       \
            return -1;                                                                                                 \
        struct iovec first = way == INJECT_SHORT ? first_byte(pieces, all) : (struct iovec){NULL, 0};                  \
        ssize_t n = NEXT(name)(fd, first.iov_len ? &first : pieces, first.iov_len ? 1 : count);                        \
        trace_pieces(pieces, all, n, op, HERE);                                                                        \
        return n;                                                                                                      \
    }
IN_PIECES(readv, CALL_READV, CANONICAL_WRITE_RANGE)
IN_PIECES(writev, CALL_WRITEV, CANONICAL_READ_RANGE)

PUBLIC ssize_t recvmsg(int fd, struct msghdr *message, int flags)
{
    enum injection_way way = injector_asks(CALL_RECVMSG, HERE);
    if (injector_fails(way))
        return -1;
    struct iovec *pieces = message->msg_iov;
    size_t count = message->msg_iovlen;
    struct iovec first = way == INJECT_SHORT ? first_byte(pieces, count) : (struct iovec){NULL, 0};
    if (first.iov_len) {
        message->msg_iov = &first;
        message->msg_iovlen = 1;
    }
    ssize_t n = NEXT(recvmsg)(fd, message, flags);
    message->msg_iov = pieces;
    message->msg_iovlen = count;
    trace_pieces(pieces, count, n, CANONICAL_WRITE_RANGE, HERE);
    return n;
}

PUBLIC ssize_t sendmsg(int fd, const struct msghdr *message, int flags)
{
    enum injection_way way = injector_asks(CALL_SENDMSG, HERE);
    if (injector_fails(way))
        return -1;
    struct msghdr sent = *message;
    struct iovec first =
        way == INJECT_SHORT ? first_byte(message->msg_iov, message->msg_iovlen) : (struct iovec){NULL, 0};
    if (first.iov_len) {
        sent.msg_iov = &first;
        sent.msg_iovlen = 1;
    }
    ssize_t n = NEXT(sendmsg)(fd, &sent, flags);
    trace_pieces(message->msg_iov, message->msg_iovlen, n, CANONICAL_READ_RANGE, HERE);
    return n;
}

// ---- calls that wait for others than threads ----

PUBLIC int poll(struct pollfd *fds, nfds_t count, int timeout)
{
    return injector_fails(injector_asks(CALL_POLL, HERE)) ? -1 : NEXT(poll)(fds, count, timeout);
}

PUBLIC int select(int count, fd_set *restrict in, fd_set *restrict out, fd_set *restrict other,
                  struct timeval *restrict timeout)
{
    return injector_fails(injector_asks(CALL_SELECT, HERE)) ? -1 : NEXT(select)(count, in, out, other, timeout);
}

int __poll_chk(struct pollfd *fds, nfds_t count, int timeout, size_t room);

PUBLIC int __poll_chk(struct pollfd *fds, nfds_t count, int timeout, size_t room)
{
    return injector_fails(injector_asks(CALL_POLL, HERE)) ? -1 : NEXT(__poll_chk)(fds, count, timeout, room);
}

PUBLIC int ppoll(struct pollfd *fds, nfds_t count, const struct timespec *timeout, const sigset_t *mask)
{
    return injector_fails(injector_asks(CALL_POLL, HERE)) ? -1 : NEXT(ppoll)(fds, count, timeout, mask);
}

PUBLIC int pselect(int count, fd_set *restrict in, fd_set *restrict out, fd_set *restrict other,
                   const struct timespec *restrict timeout, const sigset_t *restrict mask)
{
    return injector_fails(injector_asks(CALL_SELECT, HERE)) ? -1 : NEXT(pselect)(count, in, out, other, timeout, mask);
}

PUBLIC int accept4(int fd, struct sockaddr *restrict address, socklen_t *restrict length, int flags)
{
    return injector_fails(injector_asks(CALL_ACCEPT, HERE)) ? -1 : NEXT(accept4)(fd, address, length, flags);
}

PUBLIC int accept(int fd, struct sockaddr *restrict address, socklen_t *restrict length)
{
    return injector_fails(injector_asks(CALL_ACCEPT, HERE)) ? -1 : NEXT(accept)(fd, address, length);
}

// ---- memory that is mapped ----

// Called before anything can be looked up.
#define MMAP(name)                                                                                                     \
    PUBLIC void *name(void *at, size_t size, int protection, int flags, int fd, off_t offset)                          \
    {                                                                                                                  \
        if (injector_fails(injector_asks(CALL_MMAP, HERE)))                                                            \
            return MAP_FAILED;                                                                                         \
        return (void *)syscall(SYS_mmap, at, size, protection, flags, fd, offset);                                     \
    }

MMAP(mmap)
MMAP(mmap64)

// ---- arguments ----
//
// Written out, since they are called before there is anything to look up their next definition by.

static uint64_t corrupted(enum injection_call call, const void *argument, const void *pc)
{
    enum injection_way way = injector_asks(call, pc);
    if (likely(way != INJECT_ARGUMENT))
        return (uint64_t)(uintptr_t)argument;
    injector_done();
    return (uint64_t)(uintptr_t)argument ^ 1ull << injector_bit() % 64;
}

#define CORRUPTED(call, argument) ((void *)(uintptr_t)corrupted(call, argument, HERE))

PUBLIC void *memcpy(void *restrict to, const void *restrict from, size_t size)
{
    void *at = CORRUPTED(CALL_MEMCPY, to);
    if (unlikely(trace_on)) {
        trace_access(from, size, CANONICAL_READ_RANGE, HERE);
        trace_access(at, size, CANONICAL_WRITE_RANGE, HERE);
    }
    __asm__ volatile("rep movsb" : "+D"(at), "+S"(from), "+c"(size) : : "memory");
    return to;
}

PUBLIC void *memset(void *to, int value, size_t size)
{
    void *at = CORRUPTED(CALL_MEMSET, to);
    if (unlikely(trace_on))
        trace_access(at, size, CANONICAL_WRITE_RANGE, HERE);
    __asm__ volatile("rep stosb" : "+D"(at), "+c"(size) : "a"(value) : "memory");
    return to;
}

// Those of programs that are built with _FORTIFY_SOURCE. What does not fit is for the library to refuse.
void *__memcpy_chk(void *restrict to, const void *restrict from, size_t size, size_t room);
void *__memset_chk(void *to, int value, size_t size, size_t room);
char *__strcpy_chk(char *restrict to, const char *restrict from, size_t room);

PUBLIC void *__memcpy_chk(void *restrict to, const void *restrict from, size_t size, size_t room)
{
    void *at = CORRUPTED(CALL_MEMCPY, to);
    if (unlikely(trace_on)) {
        trace_access(from, size, CANONICAL_READ_RANGE, HERE);
        trace_access(at, size, CANONICAL_WRITE_RANGE, HERE);
    }
    NEXT(__memcpy_chk)(at, from, size, room);
    return to;
}

PUBLIC void *__memset_chk(void *to, int value, size_t size, size_t room)
{
    void *at = CORRUPTED(CALL_MEMSET, to);
    if (unlikely(trace_on))
        trace_access(at, size, CANONICAL_WRITE_RANGE, HERE);
    NEXT(__memset_chk)(at, value, size, room);
    return to;
}

PUBLIC char *__strcpy_chk(char *restrict to, const char *restrict from, size_t room)
{
    NEXT(__strcpy_chk)(CORRUPTED(CALL_STRCPY, to), from, room);
    return to;
}

PUBLIC size_t strlen(const char *text)
{
    const char *at = CORRUPTED(CALL_STRLEN, text), *from = at;
    for (; *at; at++)
        __asm__ volatile("" : "+r"(at));
    return (size_t)(at - from);
}

PUBLIC int strcmp(const char *a, const char *b)
{
    const unsigned char *left = CORRUPTED(CALL_STRCMP, a), *right = (const unsigned char *)b;
    while (*left && *left == *right)
        left++, right++;
    return *left - *right;
}

PUBLIC char *strcpy(char *restrict to, const char *restrict from)
{
    char *at = CORRUPTED(CALL_STRCPY, to);
    do {
        *at = *from;
        __asm__ volatile("" : "+r"(at));
    } while (at++, *from++);
    return to;
}

PUBLIC int atoi(const char *text)
{
    return (int)strtol(CORRUPTED(CALL_ATOI, text), NULL, 10);
}
