// Reading and writing, and functions of the C library whose first argument is corrupted.
#define _GNU_SOURCE
#undef _FORTIFY_SOURCE
#include "injector/injector.h"
#include "injector/injector_trace.h"

#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

// How much is transferred.
static size_t transferred(enum injection_way way, size_t size)
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

// An error of a stream shows in the stream, too.
static bool stream_fails(enum injection_way way, FILE *file)
{
    enum { GLIBC_ERROR_SEEN = 0x20 };
    if (!injector_fails(way))
        return false;
    file->_flags |= GLIBC_ERROR_SEEN;
    return true;
}

PUBLIC ssize_t read(int fd, void *to, size_t size)
{
    enum injection_way way = injector_asks(CALL_READ, HERE);
    if (injector_fails(way))
        return -1;
    ssize_t n = NEXT(read)(fd, to, transferred(way, size));
    trace_access(to, n > 0 ? (size_t)n : 0, CANONICAL_WRITE_RANGE, HERE);
    return n;
}

PUBLIC ssize_t pread(int fd, void *to, size_t size, off_t at)
{
    enum injection_way way = injector_asks(CALL_PREAD, HERE);
    if (injector_fails(way))
        return -1;
    ssize_t n = NEXT(pread)(fd, to, transferred(way, size), at);
    trace_access(to, n > 0 ? (size_t)n : 0, CANONICAL_WRITE_RANGE, HERE);
    return n;
}

// One byte of the first piece that has any.
static struct iovec first_byte(const struct iovec *pieces, int count)
{
    for (int i = 0; i < count; i++)
        if (pieces[i].iov_len) {
            injector_done();
            return (struct iovec){pieces[i].iov_base, 1};
        }
    return (struct iovec){NULL, 0};
}

// What was transferred, piece by piece.
static void trace_pieces(const struct iovec *pieces, int count, ssize_t n, enum canonical_op op, const void *pc)
{
    for (int i = 0; i < count && n > 0; i++) {
        size_t part = pieces[i].iov_len < (size_t)n ? pieces[i].iov_len : (size_t)n;
        trace_access(pieces[i].iov_base, part, op, pc);
        n -= (ssize_t)part;
    }
}

PUBLIC ssize_t readv(int fd, const struct iovec *pieces, int count)
{
    enum injection_way way = injector_asks(CALL_READV, HERE);
    if (injector_fails(way))
        return -1;
    struct iovec first = way == INJECT_SHORT ? first_byte(pieces, count) : (struct iovec){NULL, 0};
    ssize_t n = NEXT(readv)(fd, first.iov_len ? &first : pieces, first.iov_len ? 1 : count);
    trace_pieces(pieces, count, n, CANONICAL_WRITE_RANGE, HERE);
    return n;
}

PUBLIC ssize_t recv(int fd, void *to, size_t size, int flags)
{
    enum injection_way way = injector_asks(CALL_RECV, HERE);
    if (injector_fails(way))
        return -1;
    ssize_t n = NEXT(recv)(fd, to, transferred(way, size), flags);
    trace_access(to, n > 0 ? (size_t)n : 0, CANONICAL_WRITE_RANGE, HERE);
    return n;
}

PUBLIC ssize_t write(int fd, const void *from, size_t size)
{
    enum injection_way way = injector_asks(CALL_WRITE, HERE);
    if (injector_fails(way))
        return -1;
    ssize_t n = NEXT(write)(fd, from, transferred(way, size));
    trace_access(from, n > 0 ? (size_t)n : 0, CANONICAL_READ_RANGE, HERE);
    return n;
}

PUBLIC ssize_t pwrite(int fd, const void *from, size_t size, off_t at)
{
    enum injection_way way = injector_asks(CALL_PWRITE, HERE);
    if (injector_fails(way))
        return -1;
    ssize_t n = NEXT(pwrite)(fd, from, transferred(way, size), at);
    trace_access(from, n > 0 ? (size_t)n : 0, CANONICAL_READ_RANGE, HERE);
    return n;
}

PUBLIC ssize_t writev(int fd, const struct iovec *pieces, int count)
{
    enum injection_way way = injector_asks(CALL_WRITEV, HERE);
    if (injector_fails(way))
        return -1;
    struct iovec first = way == INJECT_SHORT ? first_byte(pieces, count) : (struct iovec){NULL, 0};
    ssize_t n = NEXT(writev)(fd, first.iov_len ? &first : pieces, first.iov_len ? 1 : count);
    trace_pieces(pieces, count, n, CANONICAL_READ_RANGE, HERE);
    return n;
}

PUBLIC ssize_t send(int fd, const void *from, size_t size, int flags)
{
    enum injection_way way = injector_asks(CALL_SEND, HERE);
    if (injector_fails(way))
        return -1;
    ssize_t n = NEXT(send)(fd, from, transferred(way, size), flags);
    trace_access(from, n > 0 ? (size_t)n : 0, CANONICAL_READ_RANGE, HERE);
    return n;
}

PUBLIC size_t fread(void *restrict to, size_t size, size_t count, FILE *restrict file)
{
    enum injection_way way = injector_asks(CALL_FREAD, HERE);
    if (stream_fails(way, file))
        return 0;
    size_t n = NEXT(fread)(to, size, transferred(way, count), file);
    trace_access(to, n * size, CANONICAL_WRITE_RANGE, HERE);
    return n;
}

PUBLIC size_t fwrite(const void *restrict from, size_t size, size_t count, FILE *restrict file)
{
    enum injection_way way = injector_asks(CALL_FWRITE, HERE);
    if (stream_fails(way, file))
        return 0;
    size_t n = NEXT(fwrite)(from, size, transferred(way, count), file);
    trace_access(from, n * size, CANONICAL_READ_RANGE, HERE);
    return n;
}

// What is in the stream stays there, and is written later if it can be.
PUBLIC int fflush(FILE *file)
{
    enum injection_way way = file ? injector_asks(CALL_FFLUSH, HERE) : INJECT_NOTHING;
    if (!way || !stream_fails(way, file))
        return NEXT(fflush)(file);
    trace_event(CANONICAL_FAULT, NULL, way, HERE);
    return EOF;
}

// It is closed, and what was in it is lost.
PUBLIC int fclose(FILE *file)
{
    enum injection_way way = injector_asks(CALL_FCLOSE, HERE);
    if (!way)
        return NEXT(fclose)(file);
    __fpurge(file);
    NEXT(fclose)(file);
    trace_fails(way, HERE);
    return EOF;
}

PUBLIC char *fgets(char *restrict to, int size, FILE *restrict file)
{
    enum injection_way way = injector_asks(CALL_FGETS, HERE);
    if (stream_fails(way, file))
        return NULL;
    char *text = NEXT(fgets)(to, size > 0 ? (int)transferred(way, (size_t)size) : size, file);
    size_t length = 0;
    while (text && trace_on && text[length])
        length++;
    trace_access(to, text && trace_on ? length + 1 : 0, CANONICAL_WRITE_RANGE, HERE);
    return text;
}

// ---- calls that wait for others than threads ----

PUBLIC int poll(struct pollfd *fds, nfds_t count, int timeout)
{
    return trace_fails(injector_asks(CALL_POLL, HERE), HERE) ? -1 : NEXT(poll)(fds, count, timeout);
}

PUBLIC int select(int count, fd_set *restrict in, fd_set *restrict out, fd_set *restrict other,
                  struct timeval *restrict timeout)
{
    return trace_fails(injector_asks(CALL_SELECT, HERE), HERE) ? -1 : NEXT(select)(count, in, out, other, timeout);
}

PUBLIC int accept(int fd, struct sockaddr *restrict address, socklen_t *restrict length)
{
    return trace_fails(injector_asks(CALL_ACCEPT, HERE), HERE) ? -1 : NEXT(accept)(fd, address, length);
}

// ---- memory that is mapped ----

// Called before anything can be looked up.
PUBLIC void *mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset)
{
    if (trace_fails(injector_asks(CALL_MMAP, HERE), HERE))
        return MAP_FAILED;
    return (void *)syscall(SYS_mmap, at, size, protection, flags, fd, offset);
}

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
