// socket, bind, listen, connect, accept: sockets between threads of the program (endpoints.h). Other sockets are the
// kernel's.
#define _GNU_SOURCE
#undef _FORTIFY_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "target/threads/descriptor/endpoints.h"
#include "target/threads/engine/engine_room.h"
#include "target/threads/library/library_room.h"
#include "target/threads/libc/libc_room.h"
#include "target/threads/outside/outside_room.h"

static int sockets_answer(long result)
{
    if (result >= 0)
        return (int)result;
    errno = (int)-result;
    return -1;
}

// ---- names ----

static bool is_loopback_4(uint32_t address)
{
    return address >> 24 == 127 || address == INADDR_ANY;
}

static bool is_loopback_6(const struct in6_addr *address)
{
    uint32_t last = ntohl(address->s6_addr32[3]);
    if (IN6_IS_ADDR_V4MAPPED(address))
        return is_loopback_4(last);
    return !address->s6_addr32[0] && !address->s6_addr32[1] && !address->s6_addr32[2] && last <= 1;
}

int endpoint_read_name(const struct sockaddr *address, socklen_t size, struct endpoint_name *name, const void *pc)
{
    if (size < sizeof address->sa_family)
        return EINVAL;
    access_read(address, size, pc);
    *name = (struct endpoint_name){.family = address->sa_family};
    if (address->sa_family == AF_INET) {
        const struct sockaddr_in *in = (const struct sockaddr_in *)address;
        if (size < sizeof *in)
            return EINVAL;
        name->port = ntohs(in->sin_port);
        return is_loopback_4(ntohl(in->sin_addr.s_addr)) ? 0 : EADDRNOTAVAIL;
    }
    if (address->sa_family == AF_INET6) {
        const struct sockaddr_in6 *in = (const struct sockaddr_in6 *)address;
        if (size < 24) // the kernel does without the scope
            return EINVAL;
        name->port = ntohs(in->sin6_port);
        return is_loopback_6(&in->sin6_addr) ? 0 : EADDRNOTAVAIL;
    }
    if (address->sa_family != AF_UNIX)
        return EAFNOSUPPORT;
    const struct sockaddr_un *un = (const struct sockaddr_un *)address;
    size_t most = size - offsetof(struct sockaddr_un, sun_path);
    bool abstract = size > offsetof(struct sockaddr_un, sun_path) && !un->sun_path[0];
    if (size > sizeof *un)
        return EINVAL;
    for (; name->length < most && (abstract || un->sun_path[name->length]); name->length++)
        name->path[name->length] = un->sun_path[name->length];
    return 0;
}

// As the kernel gives an address back: cut off where there is less room, and with the size it has.
void endpoint_give_name(const struct endpoint_name *name, struct sockaddr *to, socklen_t *size, const void *pc)
{
    union {
        struct sockaddr_in in;
        struct sockaddr_in6 in6;
        struct sockaddr_un un;
    } full = {0};
    socklen_t length = sizeof full.in;
    if (!to || !size)
        return;
    full.in.sin_family = (sa_family_t)name->family;
    if (name->family == AF_UNIX) {
        plain_move(full.un.sun_path, name->path, name->length);
        length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + name->length + (name->length && name->path[0]));
    } else if (name->family == AF_INET6) {
        full.in6.sin6_port = htons((uint16_t)name->port);
        full.in6.sin6_addr = in6addr_loopback;
        length = sizeof full.in6;
    } else {
        full.in.sin_port = htons((uint16_t)name->port);
        full.in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    }
    access_read(size, sizeof *size, pc);
    socklen_t given = *size < length ? *size : length;
    access_write(to, given, pc);
    plain_move(to, &full, given);
    access_write(size, sizeof *size, pc);
    *size = length;
}

// ---- making ----

static bool is_followed(int domain, int kind, int protocol)
{
    if (domain == AF_UNIX)
        return (kind == SOCK_STREAM || kind == SOCK_SEQPACKET || kind == SOCK_DGRAM) && !protocol;
    if (domain != AF_INET && domain != AF_INET6)
        return false;
    return kind == SOCK_STREAM ? !protocol || protocol == IPPROTO_TCP
                               : kind == SOCK_DGRAM && (!protocol || protocol == IPPROTO_UDP);
}

PUBLIC int socket(int domain, int type, int protocol)
{
    struct thread *t = engine.running;
    int flags = type & (SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (!t) {
        if (is_followed(domain, type & ~flags, protocol))
            early_refuse("makes a socket", HERE);
        return NATIVE(socket)(domain, type, protocol);
    }
    if (!is_followed(domain, type & ~flags, protocol)) {
        outside(t, "socket", OUTSIDE_USES, HERE);
        return NATIVE(socket)(domain, type, protocol);
    }
    const struct endpoint_name unnamed = {.family = (uint32_t)domain};
    uint32_t number = make_socket(t, sockets_object(), type & ~flags, flags);
    file_at(number)->endpoint = endpoint_new(t, &unnamed);
    if (is_datagram(file_at(number)))
        datagram_begin(file_at(number));
    descriptor_made(t, "sockets", sockets_object(), HERE);
    return sockets_answer(descriptor_new(t, number, 0, flags & SOCK_CLOEXEC));
}

// ---- operations on sockets with names ----

struct socket_call {
    struct endpoint_name name; // given, or found
    int flags;
};

// The file of a call if it is a socket that has or may have a name; otherwise *wrong says why not.
static struct file *endpoint_file(struct fd_call *call, long *wrong)
{
    struct file *f = file_of(call);
    *wrong = !f ? -EBADF : f->kind != FILE_SOCKET ? -ENOTSOCK : !f->endpoint ? -EOPNOTSUPP : 0;
    return *wrong ? NULL : f;
}

static long do_bind(struct fd_call *call, struct thread *t)
{
    long wrong;
    struct file *f = endpoint_file(call, &wrong);
    struct endpoint_name name = ((struct socket_call *)call->more)->name;
    if (!f)
        return wrong;
    struct endpoint *e = endpoint_of(f);
    bool has_name = e->own.port || e->own.length, unix_domain = e->own.family == AF_UNIX;
    if (has_name || unix_domain != (name.family == AF_UNIX))
        return -EINVAL;
    if (!unix_domain && !name.port)
        name.port = endpoint_free_port(t);
    if (endpoint_is_path(&name) ? endpoint_at_path(&name) != NULL : endpoint_named(&name, (int)f->type) != NULL)
        return -EADDRINUSE;
    name.family = e->own.family;
    keep_endpoint(e);
    e->own = name;
    e->at_path = endpoint_is_path(&name);
    call->changed = true;
    return 0;
}

static long do_listen(struct fd_call *call, struct thread *t)
{
    long wrong;
    struct file *f = endpoint_file(call, &wrong);
    if (!f)
        return wrong;
    struct endpoint *e = endpoint_of(f);
    if (f->type == SOCK_DGRAM)
        return -EOPNOTSUPP;
    if (e->state == ENDPOINT_CONNECTED || (e->own.family == AF_UNIX && !e->own.length))
        return -EINVAL;
    keep_endpoint(e);
    keep_file(f);
    if (e->own.family != AF_UNIX && !e->own.port)
        e->own.port = endpoint_free_port(t);
    int most = call->flags;
    e->room = most < 0 || most >= MOST_WAITING ? MOST_WAITING : (uint32_t)most + 1; // the kernel has one more, too
    e->state = ENDPOINT_LISTENS;
    know_release_more(&engine.races, &t->know, &f->release);
    call->changed = true;
    return 0;
}

// The listener that a connection would come to; null: it is refused.
static struct file *listener_of(struct fd_call *call)
{
    const struct file *client = file_of(call);
    int type = client ? (int)client->type : SOCK_STREAM;
    struct file *f = endpoint_named(&((const struct socket_call *)call->more)->name, type);
    return f && endpoint_of(f)->state == ENDPOINT_LISTENS ? f : NULL;
}

static bool can_connect(struct fd_call *call)
{
    const struct file *listener = listener_of(call);
    return !listener || endpoint_of(listener)->waiting < endpoint_of(listener)->room;
}

// Makes the other end, which waits to be accepted.
static void establish(struct thread *t, struct file *client, struct file *listener)
{
    struct endpoint *from = endpoint_of(client), *at = endpoint_of(listener);
    uint32_t number = make_socket(t, sockets_object(), (int)client->type, 0);
    struct file *server = file_at(number);
    server->endpoint = endpoint_new(t, &at->own);
    keep_endpoint(from);
    keep_endpoint(at);
    keep_file(client);
    if (from->own.family != AF_UNIX && !from->own.port)
        from->own.port = endpoint_free_port(t);
    struct endpoint *to = endpoint_of(server);
    from->state = to->state = ENDPOINT_CONNECTED;
    from->peer = at->own;
    to->peer = from->own;
    sockets_join(client, server);
    server->references = 1; // the queue's
    keep_file(listener);
    listener->written++; // an edge for epoll, and one for the client, which can write now
    client->drained++;
    at->queue[at->waiting++] = number;
    know_acquire(&engine.races, &t->know, &listener->release);
    know_release_more(&engine.races, &t->know, &server->release);
}

static long do_connect(struct fd_call *call, struct thread *t)
{
    long wrong;
    struct file *f = endpoint_file(call, &wrong), *listener = listener_of(call);
    const struct endpoint_name *name = &((const struct socket_call *)call->more)->name;
    if (!f)
        return wrong;
    struct endpoint *e = endpoint_of(f);
    if (is_datagram(f))
        return datagram_connect(call, t, f, name);
    if (name->family == AF_UNSPEC)
        return -EAFNOSUPPORT;
    if (e->state == ENDPOINT_CONNECTED && e->announced)
        return -EISCONN;
    if (e->state == ENDPOINT_LISTENS || (e->own.family == AF_UNIX) != (name->family == AF_UNIX))
        return -EINVAL;
    if (e->state != ENDPOINT_CONNECTED && !listener)
        return endpoint_is_path(name) && !endpoint_at_path(name) ? -ENOENT : -ECONNREFUSED;
    bool later = e->state != ENDPOINT_CONNECTED && call->nonblocking && e->own.family != AF_UNIX;
    if (e->state != ENDPOINT_CONNECTED) {
        if (listener->type != f->type)
            return -EPROTOTYPE;
        establish(t, f, listener);
    }
    keep_endpoint(e);
    e->announced = !later;
    call->changed = true;
    return later ? -EINPROGRESS : 0;
}

static bool can_accept(struct fd_call *call)
{
    const struct file *f = file_of(call);
    const struct endpoint *e = f && f->kind == FILE_SOCKET ? endpoint_of(f) : NULL;
    return !e || e->state != ENDPOINT_LISTENS || e->waiting;
}

static long do_accept(struct fd_call *call, struct thread *t)
{
    long wrong;
    struct file *f = endpoint_file(call, &wrong);
    struct socket_call *wish = call->more;
    if (!f)
        return wrong;
    struct endpoint *e = endpoint_of(f);
    if (f->type == SOCK_DGRAM)
        return -EOPNOTSUPP;
    if (e->state != ENDPOINT_LISTENS)
        return -EINVAL;
    struct file *server = file_at(e->queue[0]);
    keep_endpoint(e);
    for (uint32_t i = 1; i < e->waiting; i++)
        e->queue[i - 1] = e->queue[i];
    e->waiting--;
    keep_file(server);
    server->flags = wish->flags & SOCK_NONBLOCK ? O_NONBLOCK : 0;
    know_acquire(&engine.races, &t->know, &server->release);
    wish->name = endpoint_of(server)->peer;
    call->changed = true;
    int fd = descriptor_new(t, file_number(server), 0, wish->flags & SOCK_CLOEXEC);
    server->references--; // the queue's
    return fd;
}

static long do_name(struct fd_call *call, struct thread *t)
{
    (void)t;
    long wrong;
    struct file *f = file_of(call);
    struct socket_call *wish = call->more;
    if (f && f->kind == FILE_SOCKET && !f->endpoint) { // of a pair
        wish->name = (struct endpoint_name){.family = AF_UNIX};
        return 0;
    }
    f = endpoint_file(call, &wrong);
    if (!f)
        return wrong;
    const struct endpoint *e = endpoint_of(f);
    if (call->flags && e->state != ENDPOINT_CONNECTED && !(is_datagram(f) && e->announced))
        return -ENOTCONN;
    wish->name = call->flags ? e->peer : e->own;
    return 0;
}

// ---- calls ----

static bool connection_fails(enum fault_family family, const char *name, const void *pc)
{
    int way = fault_strikes(family, name, pc);
    if (way)
        errno = way;
    return way != 0;
}

PUBLIC int bind(int fd, const struct sockaddr *address, socklen_t size)
{
    struct thread *t = engine.running;
    struct socket_call wish;
    if (!t || !is_descriptor(fd))
        return USING(bind)(fd, address, size);
    int wrong = endpoint_read_name(address, size, &wish.name, HERE);
    if (wrong)
        return sockets_answer(-wrong);
    struct fd_call call = {.ready = ready_at_once, .act = do_bind, .fd = fd, .more = &wish};
    return sockets_answer(fd_operate(t, OP_FD_CONTROL, &call, HERE));
}

PUBLIC int listen(int fd, int most)
{
    if (!engine.running || !is_descriptor(fd))
        return USING(listen)(fd, most);
    return fd_control(engine.running, fd, do_listen, most, 0, HERE);
}

PUBLIC int connect(int fd, const struct sockaddr *address, socklen_t size)
{
    struct thread *t = engine.running;
    struct socket_call wish;
    if (!t || !is_descriptor(fd))
        return USING(connect)(fd, address, size);
    if (connection_fails(FAULT_CONNECT, "connect", HERE))
        return -1;
    cancel_point(t, HERE);
    int wrong = endpoint_read_name(address, size, &wish.name, HERE);
    if (wrong == EADDRNOTAVAIL)
        unsupported(t, "the program connects to another machine; heddle follows connections between its own threads");
    if (wrong && !(wrong == EAFNOSUPPORT && wish.name.family == AF_UNSPEC)) // by which datagrams are disconnected
        return sockets_answer(-wrong);
    struct fd_call call = {
        .ready = can_connect, .act = do_connect, .fd = fd, .more = &wish, .obeys = true, .unready = EAGAIN};
    return sockets_answer(fd_operate(t, OP_FD_CONNECT, &call, HERE));
}

static int accept_one(struct thread *t, int fd, struct sockaddr *address, socklen_t *size, int flags, const void *pc)
{
    struct socket_call wish = {.flags = flags};
    struct fd_call call = {
        .ready = can_accept, .act = do_accept, .fd = fd, .more = &wish, .obeys = true, .unready = EAGAIN};
    if (flags & ~(SOCK_NONBLOCK | SOCK_CLOEXEC))
        return sockets_answer(-EINVAL);
    cancel_point(t, pc);
    long result = fd_operate(t, OP_FD_ACCEPT, &call, pc);
    if (result >= 0)
        endpoint_give_name(&wish.name, address, size, pc);
    return sockets_answer(result);
}

PUBLIC int accept(int fd, struct sockaddr *restrict address, socklen_t *restrict size)
{
    if (!engine.running || !is_descriptor(fd))
        return USING(accept)(fd, address, size);
    if (connection_fails(FAULT_ACCEPT, "accept", HERE))
        return -1;
    return accept_one(engine.running, fd, address, size, 0, HERE);
}

PUBLIC int accept4(int fd, struct sockaddr *restrict address, socklen_t *restrict size, int flags)
{
    if (!engine.running || !is_descriptor(fd))
        return USING(accept4)(fd, address, size, flags);
    if (connection_fails(FAULT_ACCEPT, "accept4", HERE))
        return -1;
    return accept_one(engine.running, fd, address, size, flags, HERE);
}

static int name_of(struct thread *t, int fd, bool peer, struct sockaddr *address, socklen_t *size, const void *pc)
{
    struct socket_call wish = {0};
    struct fd_call call = {.ready = ready_at_once, .act = do_name, .fd = fd, .more = &wish, .flags = peer};
    long result = fd_operate(t, OP_FD_CONTROL, &call, pc);
    if (!result)
        endpoint_give_name(&wish.name, address, size, pc);
    return sockets_answer(result);
}

PUBLIC int getsockname(int fd, struct sockaddr *restrict address, socklen_t *restrict size)
{
    if (!engine.running || !is_descriptor(fd))
        return NATIVE(getsockname)(fd, address, size);
    return name_of(engine.running, fd, false, address, size, HERE);
}

PUBLIC int getpeername(int fd, struct sockaddr *restrict address, socklen_t *restrict size)
{
    if (!engine.running || !is_descriptor(fd))
        return NATIVE(getpeername)(fd, address, size);
    return name_of(engine.running, fd, true, address, size, HERE);
}
