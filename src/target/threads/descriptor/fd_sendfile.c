// sendfile from a file of the kernel's to a pipe or a socket between threads: reads a piece, writes it, and leaves the file where
// the part ends that was written.
#define _GNU_SOURCE
#include <errno.h>
#include <sys/sendfile.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/raw.h"
#include "target/threads/descriptor/descriptors.h"
#include "target/threads/engine/engine_room.h"
#include "target/threads/libc/libc_room.h"
#include "target/threads/outside/outside_room.h"

enum { PIECE = 16384 };

static long fd_sendfile_answer(long result)
{
    if (result >= 0)
        return result;
    errno = (int)-result;
    return -1;
}

// One piece from there on: how much was written, or the negated error number. `more`: there may be more to write.
static long send_piece(struct thread *t, int out, int in, long at, size_t size, bool *more, const void *pc)
{
    uint8_t piece[PIECE];
    outside_use("sendfile", pc);
    long n = NATIVE(pread)(in, piece, size < PIECE ? size : PIECE, at);
    *more = false;
    if (n <= 0)
        return n < 0 ? -errno : 0;
    struct iovec part = {piece, (size_t)n};
    struct fd_call call = {.fd = out, .parts = &part, .count = 1, .own_parts = true};
    long written = fd_transmit(t, &call, pc);
    *more = written == n;
    return written;
}

static bool can_be_sent_to(int out)
{
    const struct file *f = file_at(open_file(out));
    return !f || f->kind == FILE_PIPE_WRITE || f->kind == FILE_SOCKET; // of a closed one writing will say so
}

static long send_file(struct thread *t, int out, int in, long at, size_t size, const void *pc)
{
    long sent = 0;
    bool more = true;
    while (more && (size_t)sent < size) {
        long n = send_piece(t, out, in, at + sent, size - (size_t)sent, &more, pc);
        if (n < 0)
            return sent ? sent : n;
        sent += n;
    }
    return sent;
}

#define SENDFILE(name, offset)                                                                                         \
    PUBLIC ssize_t name(int out, int in, offset *from, size_t size)                                                    \
    {                                                                                                                  \
        struct thread *t = engine.running;                                                                             \
        if (!t || (!is_descriptor(out) && !is_descriptor(in)))                                                         \
            return USING(name)(out, in, from, size);                                                                   \
        if (fd_transfer_fails(FAULT_WRITE, #name, out, &size, HERE))                                                   \
            return -1;                                                                                                 \
        if (!is_descriptor(out) || is_descriptor(in) || !can_be_sent_to(out))                                          \
            return fd_sendfile_answer(-EINVAL);                                                                        \
        if (from)                                                                                                      \
            access_read(from, sizeof *from, HERE);                                                                     \
        else                                                                                                           \
            outside_use(#name, HERE);                                                                                  \
        long at = from ? *from : raw_call(SYS_lseek, in, 0, SEEK_CUR);                                                 \
        long sent = at < 0 ? (from ? -EINVAL : at) : send_file(t, out, in, at, size, HERE);                            \
        if (sent > 0 && from) {                                                                                        \
            access_write(from, sizeof *from, HERE);                                                                    \
            *from = at + sent;                                                                                         \
        } else if (sent > 0) {                                                                                         \
            raw_call(SYS_lseek, in, at + sent, SEEK_SET);                                                              \
        }                                                                                                              \
        return fd_sendfile_answer(sent);                                                                               \
    }

SENDFILE(sendfile, off_t)
#undef sendfile64
SENDFILE(sendfile64, off64_t)
