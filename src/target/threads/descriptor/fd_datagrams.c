// Datagram sockets with names, UDP and Unix, between threads of the program (endpoints.h). Each has one channel, of what has come
// for it; whoever sends puts a message there, and the number of its own file, by which the receiver learns the sender's name.
//
// As in the kernel, UDP drops what finds no room, and a sender that is connected learns at its next call that nobody was there;
// Unix sockets wait for room, and refuse at once. A sender keeps the Unix socket that it is connected to, and of UDP its name.
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <sys/socket.h>

#include "target/threads/descriptor/endpoints.h"
#include "target/threads/engine/engine_room.h"

enum { MOST_UDP = 65507, MOST_UDP_WAITING = 256, MOST_UNIX_WAITING = 11 };
enum { SHUT_READING = 1, SHUT_WRITING = 2 };

bool is_datagram(const struct file *f)
{
    return f->kind == FILE_SOCKET && f->type == SOCK_DGRAM && f->endpoint;
}

static bool is_udp(const struct file *f)
{
    return endpoint_of(f)->own.family != AF_UNIX;
}

void datagram_begin(struct file *f)
{
    f->in = channel_new(CHANNEL_BYTES, true);
    channel_at(f->in)->most = is_udp(f) ? MOST_UDP_WAITING : MOST_UNIX_WAITING;
}

// ---- who is meant ----

static bool names_other_family(const struct endpoint *e, const struct endpoint_name *name)
{
    return (e->own.family == AF_UNIX) != (name->family == AF_UNIX) ||
           (e->own.family == AF_INET && name->family == AF_INET6);
}

// A UDP socket that is connected hears only who it is connected to.
static bool udp_hears(const struct file *f, uint32_t port)
{
    const struct endpoint *e = endpoint_of(f);
    return !e->announced || e->peer.port == port;
}

// A Unix socket that is connected takes messages only of the socket that it is connected to.
static bool unix_takes(const struct file *f, const struct file *sender)
{
    return !f->peer || f->peer == file_number(sender);
}

// The file that a message would come to, or null; what is wrong then, if it is known at once.
static struct file *datagram_receiver(const struct file *f, const struct endpoint_name *name, long *wrong)
{
    const struct endpoint *e = endpoint_of(f);
    *wrong = 0;
    if (!name && !e->announced)
        *wrong = is_udp(f) ? -EDESTADDRREQ : -ENOTCONN;
    else if (name && names_other_family(e, name))
        *wrong = is_udp(f) ? -EAFNOSUPPORT : -EINVAL;
    else if (name && is_udp(f) && !name->port)
        *wrong = -EINVAL;
    if (*wrong)
        return NULL;
    struct file *to = !name && !is_udp(f) ? file_at(f->peer) : endpoint_named(name ? name : &e->peer, SOCK_DGRAM);
    if (is_udp(f))
        return to && udp_hears(to, e->own.port) ? to : NULL;
    if (!to || !to->references)
        *wrong = name && endpoint_is_path(name) && !endpoint_at_path(name) ? -ENOENT : -ECONNREFUSED;
    else if (to->type != SOCK_DGRAM)
        *wrong = -EPROTOTYPE;
    else if (!unix_takes(to, f))
        *wrong = -EPERM;
    else if (endpoint_of(to)->shut & SHUT_READING)
        *wrong = -EPIPE;
    return *wrong ? NULL : to;
}

// ---- sending ----

bool datagram_gets_lost(int fd, const void *pc)
{
    const struct file *f = file_at(open_file(fd));
    return f && is_datagram(f) && is_udp(f) && fault_strikes(FAULT_DATAGRAM, "sendto", pc);
}

bool datagram_has_room(struct fd_call *call, struct file *f)
{
    long wrong;
    const struct file *to = datagram_receiver(f, call->more, &wrong);
    return !to || is_udp(f) || call->total > CHANNEL_BYTES || channel_can_put(channel_at(to->in), call->total);
}

static void take_port(struct thread *t, struct endpoint *e)
{
    keep_endpoint(e);
    if (e->own.family != AF_UNIX && !e->own.port)
        e->own.port = endpoint_free_port(t);
}

// Of a connected sender: nobody was there, which is told once. A Unix socket has no peer any more.
static void datagram_unheard(struct file *f)
{
    keep_file(f);
    if (is_udp(f)) {
        f->reset = ECONNREFUSED;
        f->written++; // edges for epoll
        f->drained++;
        return;
    }
    f->peer = 0;
    keep_endpoint(endpoint_of(f));
    endpoint_of(f)->announced = 0;
}

long datagram_error(struct fd_call *call, struct file *f)
{
    long error = -(long)f->reset;
    keep_file(f);
    f->reset = 0;
    call->changed = true;
    return error;
}

long datagram_send(struct fd_call *call, struct thread *t, struct file *f)
{
    long wrong;
    struct endpoint *e = endpoint_of(f);
    if (f->reset)
        return datagram_error(call, f);
    if (e->shut & SHUT_WRITING) {
        call->raises = true;
        return -EPIPE;
    }
    if (is_udp(f))
        take_port(t, e);
    struct file *to = datagram_receiver(f, call->more, &wrong);
    if (call->total > (is_udp(f) ? MOST_UDP : CHANNEL_BYTES))
        wrong = wrong ? wrong : -EMSGSIZE;
    call->changed = true;
    if (!to && !call->more && e->announced && (!wrong || wrong == -ECONNREFUSED))
        datagram_unheard(f);
    if (wrong)
        return wrong;
    call->from = file_number(f);
    if (to && !call->lost && channel_can_put(channel_at(to->in), call->total))
        channel_put(t, channel_at(to->in), call);
    return (long)call->total;
}

// ---- connecting and shutting down ----

long datagram_connect(struct fd_call *call, struct thread *t, struct file *f, const struct endpoint_name *name)
{
    struct endpoint *e = endpoint_of(f);
    long wrong = 0;
    keep_endpoint(e);
    keep_file(f);
    call->changed = true;
    if (name->family == AF_UNSPEC) {
        e->announced = f->peer = 0;
        return 0;
    }
    if (names_other_family(e, name))
        return is_udp(f) ? -EAFNOSUPPORT : -EINVAL;
    struct file *to = is_udp(f) ? NULL : datagram_receiver(f, name, &wrong);
    if (wrong && wrong != -EPIPE)
        return wrong;
    f->peer = to ? file_number(to) : 0;
    e->peer = *name;
    e->peer.family = e->own.family;
    take_port(t, e);
    e->announced = 1;
    return 0;
}

// The kernel shuts down a UDP socket that is not connected, too, and says that it is not.
long datagram_shutdown(struct fd_call *call, struct thread *t, struct file *f)
{
    struct endpoint *e = endpoint_of(f);
    keep_endpoint(e);
    e->shut |= (call->flags != SHUT_WR ? SHUT_READING : 0u) | (call->flags != SHUT_RD ? SHUT_WRITING : 0u);
    if (e->shut & SHUT_READING)
        channel_end(t, channel_at(f->in), 0, true);
    keep_file(f);
    f->written++; // an edge for epoll
    call->changed = true;
    return is_udp(f) && !e->announced ? -ENOTCONN : 0;
}

// ---- waiting ----

// That of the Unix socket it is connected to, whose room it waits for.
const struct channel *datagram_outlet(const struct file *f)
{
    const struct file *to = is_datagram(f) && !is_udp(f) ? file_at(f->peer) : NULL;
    return to && to->references ? channel_at(to->in) : NULL;
}

uint32_t datagram_events(const struct file *f)
{
    const struct endpoint *e = endpoint_of(f);
    const struct channel *outlet = datagram_outlet(f);
    uint32_t events = channel_at(f->in)->pieces ? POLLIN | POLLRDNORM : 0;
    if (e->shut & SHUT_READING)
        events |= POLLIN | POLLRDNORM | POLLRDHUP;
    if (e->shut == (SHUT_READING | SHUT_WRITING))
        events |= POLLHUP;
    if (f->reset)
        events |= POLLERR;
    return events | (!outlet || outlet->pieces < outlet->most ? POLLOUT | POLLWRNORM : 0);
}
