// setsockopt and getsockopt on socket pairs. Options that make a difference between the two ends of one are refused if they are
// to be other than they are; the others are kept and given back.
#define _GNU_SOURCE
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "target/threads/descriptor/endpoints.h"
#include "target/threads/libc/libc_room.h"
#include "target/threads/outside/outside_room.h"
#include "target/threads/engine/engine_room.h"

enum { BUFFER = 212992 }; // what the kernel says by itself

// Names for options of TCP and IP, beside those of sockets: the first is TCP_NODELAY, the last stands for all times and counts.
enum { NO_DELAY = 1 << 20, ONLY_6, KEEP_IDLE };

static int fd_options_wrong(int error)
{
    errno = error;
    return -1;
}

// The bit of a file's `options` for a switch that changes nothing here; 0 if it is none.
static uint32_t bit_of(int name)
{
    switch (name) {
    case SO_REUSEADDR:
        return 1;
    case SO_KEEPALIVE:
        return 2;
    case SO_BROADCAST:
        return 4;
    case SO_OOBINLINE:
        return 8;
    case SO_REUSEPORT:
        return 16;
    case SO_DONTROUTE:
        return 32;
    case SO_PASSCRED:
        return 64;
    case SO_TIMESTAMP:
        return 128;
    case NO_DELAY:
        return 256;
    case ONLY_6:
        return 512;
    case KEEP_IDLE:
        return 1024;
    case SO_LINGER: // of no time at all; closing never waits here
        return OPTION_ABORTS;
    default:
        return 0;
    }
}

static bool is_socket(int fd)
{
    struct fd_call call = {.fd = fd};
    const struct file *f = file_of(&call);
    return f && f->kind == FILE_SOCKET;
}

static bool has_protocol(int fd)
{
    const struct file *f = file_at(open_file(fd));
    const struct endpoint *e = f && f->kind == FILE_SOCKET ? endpoint_of(f) : NULL;
    return e && e->own.family != AF_UNIX;
}

// What an option of TCP or IP is called here. None of them changes what two threads of one machine can tell each other.
static int protocol_option(struct thread *t, int level, int name)
{
    if (level == IPPROTO_TCP && name == TCP_NODELAY)
        return NO_DELAY;
    if (level == IPPROTO_IPV6 && name == IPV6_V6ONLY)
        return ONLY_6;
    bool harmless = level == IPPROTO_TCP && (name == TCP_KEEPIDLE || name == TCP_KEEPINTVL || name == TCP_KEEPCNT ||
                                             name == TCP_CORK || name == TCP_QUICKACK || name == TCP_DEFER_ACCEPT ||
                                             name == TCP_USER_TIMEOUT || name == TCP_FASTOPEN);
    if (!harmless && !(level == IPPROTO_IP && name == IP_TOS))
        refuse(t, "an option of TCP or IP", "leave it out");
    return KEEP_IDLE;
}

static long do_set(struct fd_call *call, struct thread *t)
{
    struct file *f = file_of(call);
    (void)t;
    if (!f)
        return -EBADF;
    if (f->kind != FILE_SOCKET)
        return -ENOTSOCK;
    uint32_t options = call->number ? f->options | (uint32_t)call->flags : f->options & ~(uint32_t)call->flags;
    keep_file(f);
    call->changed = options != f->options;
    f->options = options;
    return 0;
}

// Options that would make a difference if heddle followed them.
static void refuse_differences(struct thread *t, int name, const void *value, socklen_t size)
{
    int number = size >= sizeof number ? *(const int *)value : 0;
    const struct timeval *time = value;
    bool timed =
        (name == SO_RCVTIMEO || name == SO_SNDTIMEO) && size >= sizeof *time && (time->tv_sec || time->tv_usec);
    if (timed)
        refuse(t, "setsockopt with a time-out on a socket pair", "use poll with a time-out");
    if ((name == SO_SNDBUF || name == SO_RCVBUF) && number < CHANNEL_BYTES / 2)
        refuse(t, "setsockopt for a small buffer on a socket pair", "leave it out: heddle's holds 64 KiB");
    if ((name == SO_PASSCRED || name == SO_TIMESTAMP) && number)
        refuse(t, "setsockopt for control messages on a socket pair", "leave it out");
}

static int set_protocol_option(struct thread *t, int fd, int level, int name, const void *value, socklen_t size,
                               const void *pc)
{
    if (size < sizeof(int))
        return fd_options_wrong(EINVAL);
    access_read(value, size, pc);
    uint32_t bit = bit_of(protocol_option(t, level, name));
    return fd_control(t, fd, do_set, (int)bit, *(const int *)value != 0, pc);
}

PUBLIC int setsockopt(int fd, int level, int name, const void *value, socklen_t size)
{
    struct thread *t = engine.running;
    if (!t || !is_descriptor(fd))
        return USING(setsockopt)(fd, level, name, value, size);
    bool timed = name == SO_RCVTIMEO || name == SO_SNDTIMEO, buffer = name == SO_SNDBUF || name == SO_RCVBUF;
    bool known = bit_of(name) || timed || buffer || name == SO_PRIORITY || name == SO_LINGER;
    if (level != SOL_SOCKET && has_protocol(fd))
        return set_protocol_option(t, fd, level, name, value, size, HERE);
    if (level != SOL_SOCKET && is_socket(fd))
        return fd_options_wrong(EOPNOTSUPP);
    if (size < sizeof(int) || (timed && size < sizeof(struct timeval)))
        return fd_options_wrong(EINVAL);
    access_read(value, size, HERE);
    if (known)
        refuse_differences(t, name, value, size);
    const struct linger *linger = value;
    if (name == SO_LINGER && size < sizeof *linger)
        return fd_options_wrong(EINVAL);
    bool on = name == SO_LINGER ? linger->l_onoff && !linger->l_linger : *(const int *)value != 0;
    uint32_t bit = bit_of(name);
    int result = fd_control(t, fd, do_set, (int)bit, on, HERE);
    if (!result && !known)
        return fd_options_wrong(ENOPROTOOPT);
    return result;
}

// An error is told once.
static long tell_error(struct fd_call *call, struct file *f)
{
    long error = (long)f->reset;
    if (error) {
        keep_file(f);
        f->reset = 0;
        call->changed = true;
    }
    return error;
}

static long do_get(struct fd_call *call, struct thread *t)
{
    struct file *f = file_of(call);
    uint32_t bit = bit_of(call->flags);
    if (!f)
        return -EBADF;
    if (f->kind != FILE_SOCKET)
        return -ENOTSOCK;
    const struct endpoint *e = endpoint_of(f);
    (void)t;
    switch (call->flags) {
    case SO_TYPE:
        return f->type;
    case SO_DOMAIN:
        return e ? (long)e->own.family : AF_UNIX;
    case SO_PROTOCOL:
        return !e || e->own.family == AF_UNIX ? 0 : f->type == SOCK_DGRAM ? IPPROTO_UDP : IPPROTO_TCP;
    case SO_ACCEPTCONN:
        return e && e->state == ENDPOINT_LISTENS;
    case SO_ERROR:
        return tell_error(call, f);
    case SO_PRIORITY:
        return 0;
    case SO_SNDBUF:
    case SO_RCVBUF:
        return BUFFER;
    default:
        return bit ? (f->options & bit) != 0 : -ENOPROTOOPT;
    }
}

static void fd_options_give(void *to, socklen_t *size, const void *value, socklen_t bytes, const void *pc)
{
    socklen_t given = *size < bytes ? *size : bytes;
    access_write(to, given, pc);
    plain_move(to, value, given);
    access_write(size, sizeof *size, pc);
    *size = given;
}

PUBLIC int getsockopt(int fd, int level, int name, void *restrict to, socklen_t *restrict size)
{
    struct thread *t = engine.running;
    if (!t || !is_descriptor(fd))
        return USING(getsockopt)(fd, level, name, to, size);
    if (level != SOL_SOCKET && has_protocol(fd))
        name = protocol_option(t, level, name);
    else if (level != SOL_SOCKET && is_socket(fd))
        return fd_options_wrong(EOPNOTSUPP);
    if (level == SOL_SOCKET && name == SO_LINGER && is_socket(fd))
        refuse(t, "getsockopt for SO_LINGER", "leave it out");
    access_read(size, sizeof *size, HERE);
    int number = fd_control(t, fd, do_get, name, 0, HERE);
    struct ucred peer = {getpid(), getuid(), getgid()};
    struct timeval never = {0};
    bool timed = name == SO_RCVTIMEO || name == SO_SNDTIMEO;
    if (number < 0 && errno == ENOPROTOOPT && (name == SO_PEERCRED || timed)) {
        fd_options_give(to, size, timed ? (const void *)&never : &peer, timed ? sizeof never : sizeof peer, HERE);
        return 0;
    }
    if (number < 0)
        return -1;
    fd_options_give(to, size, &number, sizeof number, HERE);
    return 0;
}
