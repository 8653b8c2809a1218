// getaddrinfo for names of this machine, which needs no files and no network: "localhost", loopback addresses, and none at all, with
// a number for the port. Others are looked up by the C library. The other way round, getnameinfo for numbers.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "target/threads/descriptor/endpoints.h"
#include "target/threads/engine/engine_room.h"
#include "target/threads/libc/libc_room.h"
#include "target/threads/outside/outside_room.h"

struct answer {
    struct addrinfo info;
    union {
        struct sockaddr_in in;
        struct sockaddr_in6 in6;
    } address;
};

enum { MOST_NAME = 64, NO_PORT = -1 };

static bool text_is(const char *text, const char *word)
{
    size_t length = plain_length(word, MOST_NAME);
    return plain_length(text, MOST_NAME) == length && plain_differ(text, word, length) == length;
}

static long port_of(const char *service)
{
    long port = 0;
    if (!service)
        return 0;
    for (; *service >= '0' && *service <= '9' && port <= UINT16_MAX; service++)
        port = 10 * port + (*service - '0');
    return *service || port > UINT16_MAX ? NO_PORT : port;
}

// The family that a name has, AF_UNSPEC if it may be either; -1: it is no name of this machine that is known here.
static int family_of(const char *node)
{
    if (!node || text_is(node, "localhost"))
        return AF_UNSPEC;
    if (text_is(node, "127.0.0.1") || text_is(node, "0.0.0.0"))
        return AF_INET;
    return text_is(node, "::1") || text_is(node, "::") ? AF_INET6 : -1;
}

static bool is_any(const char *node, int flags)
{
    return node ? text_is(node, "0.0.0.0") || text_is(node, "::") : flags & AI_PASSIVE;
}

static void fill_in(struct answer *a, int family, bool any, long port)
{
    if (family == AF_INET6) {
        a->address.in6.sin6_family = AF_INET6;
        a->address.in6.sin6_port = htons((uint16_t)port);
        a->address.in6.sin6_addr = any ? in6addr_any : in6addr_loopback;
        a->info.ai_addrlen = sizeof a->address.in6;
    } else {
        a->address.in.sin_family = AF_INET;
        a->address.in.sin_port = htons((uint16_t)port);
        a->address.in.sin_addr.s_addr = htonl(any ? INADDR_ANY : INADDR_LOOPBACK);
        a->info.ai_addrlen = sizeof a->address.in;
    }
    a->info.ai_family = family;
    a->info.ai_addr = (struct sockaddr *)&a->address;
}

PUBLIC int getaddrinfo(const char *restrict node, const char *restrict service, const struct addrinfo *restrict hints,
                       struct addrinfo **restrict list)
{
    struct thread *t = engine.running;
    if (!t)
        return NATIVE(getaddrinfo)(node, service, hints, list);
    if (node)
        access_read(node, plain_length(node, MOST_NAME) + 1, HERE);
    if (service)
        access_read(service, plain_length(service, MOST_NAME) + 1, HERE);
    if (hints)
        access_read(hints, sizeof *hints, HERE);
    int family = family_of(node), wanted = hints ? hints->ai_family : AF_UNSPEC;
    long port = port_of(service);
    if (family < 0 || port == NO_PORT || (hints && hints->ai_flags & AI_CANONNAME) || (!node && !service)) {
        outside(t, "getaddrinfo", OUTSIDE_LOOKS, HERE);
        return NATIVE(getaddrinfo)(node, service, hints, list);
    }
    if (wanted != AF_UNSPEC && family != AF_UNSPEC && wanted != family)
        return EAI_ADDRFAMILY;
    family = wanted != AF_UNSPEC ? wanted : family != AF_UNSPEC ? family : AF_INET;
    struct answer *a = calloc(1, sizeof *a);
    if (!a)
        return EAI_MEMORY;
    access_write(a, sizeof *a, HERE);
    fill_in(a, family, is_any(node, hints ? hints->ai_flags : 0), port);
    a->info.ai_socktype = hints && hints->ai_socktype ? hints->ai_socktype : SOCK_STREAM;
    a->info.ai_protocol = a->info.ai_socktype == SOCK_STREAM  ? IPPROTO_TCP
                          : a->info.ai_socktype == SOCK_DGRAM ? IPPROTO_UDP
                                                              : 0;
    access_write(list, sizeof *list, HERE); // NOLINT(bugprone-sizeof-expression): it is a pointer that is written
    *list = &a->info;
    return 0;
}

// Those of the C library are in memory of the program's, too, each in a block with its address.
PUBLIC void freeaddrinfo(struct addrinfo *list)
{
    if (!engine.running) {
        NATIVE(freeaddrinfo)(list);
        return;
    }
    while (list) {
        struct addrinfo *next = list->ai_next;
        free(list->ai_canonname);
        free(list);
        list = next;
    }
}

// ---- the other way round ----

struct numbers {
    char host[INET6_ADDRSTRLEN];
    char port[8];
};

// An address as numbers. 0, or an error of getnameinfo.
static int numbers_of(const struct sockaddr *address, socklen_t size, struct numbers *to)
{
    const struct sockaddr_in *in = (const struct sockaddr_in *)address;
    const struct sockaddr_in6 *in6 = (const struct sockaddr_in6 *)address;
    if (size < sizeof address->sa_family)
        return EAI_FAMILY;
    bool six = address->sa_family == AF_INET6;
    if (address->sa_family != AF_INET && !six)
        return EAI_FAMILY;
    if (size < (six ? sizeof *in6 : sizeof *in))
        return EAI_FAMILY;
    inet_ntop(address->sa_family, six ? (const void *)&in6->sin6_addr : &in->sin_addr, to->host, sizeof to->host);
    uint32_t port = ntohs(six ? in6->sin6_port : in->sin_port), size_10 = 1;
    while (port / size_10 >= 10)
        size_10 *= 10;
    char *digit = to->port;
    for (; size_10; size_10 /= 10)
        *digit++ = (char)('0' + port / size_10 % 10);
    *digit = 0;
    return 0;
}

// False: there is not enough room for it.
static bool give_text(const char *text, char *to, socklen_t room, const void *pc)
{
    if (!to || !room)
        return true;
    size_t size = plain_length(text, INET6_ADDRSTRLEN) + 1;
    if (size > room)
        return false;
    access_write(to, size, pc);
    plain_move(to, text, size);
    return true;
}

static bool only_numbers(const struct sockaddr *address, socklen_t size, bool host, bool port, int flags)
{
    bool scoped = size >= sizeof(struct sockaddr_in6) && address->sa_family == AF_INET6 &&
                  ((const struct sockaddr_in6 *)address)->sin6_scope_id;
    bool internet = size < sizeof address->sa_family || address->sa_family != AF_UNIX;
    return internet && !scoped && !(flags & NI_NAMEREQD) && (!host || flags & NI_NUMERICHOST) &&
           (!port || flags & NI_NUMERICSERV);
}

PUBLIC int getnameinfo(const struct sockaddr *restrict address, socklen_t size, char *restrict host,
                       socklen_t host_room, char *restrict service, socklen_t service_room, int flags)
{
    struct thread *t = engine.running;
    struct numbers numbers;
    bool wants_host = host && host_room, wants_port = service && service_room;
    if (!t)
        return NATIVE(getnameinfo)(address, size, host, host_room, service, service_room, flags);
    access_read(address, size, HERE);
    if (!only_numbers(address, size, wants_host, wants_port, flags)) {
        outside(t, "getnameinfo", OUTSIDE_LOOKS, HERE);
        if (wants_host)
            access_write(host, host_room, HERE);
        if (wants_port)
            access_write(service, service_room, HERE);
        return NATIVE(getnameinfo)(address, size, host, host_room, service, service_room, flags);
    }
    int wrong = numbers_of(address, size, &numbers);
    if (wrong)
        return wrong;
    if (!give_text(numbers.host, host, host_room, HERE) || !give_text(numbers.port, service, service_room, HERE))
        return EAI_OVERFLOW;
    return 0;
}
