// Addresses of the network from text and to text, in front of the C library's own: under control they report what they read and
// write.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dlfcn.h>

#include "target/threads/libc/public.h"

#define TO_LIBC(X) X(inet_pton) X(inet_ntop)

TO_LIBC(NEXT_POINTER)

static __attribute__((constructor)) void find_libc(void)
{
    if (!libc_inet_ntop) {
        TO_LIBC(NEXT_RESOLVE)
    }
}

#define LIBC(name) (find_libc(), libc_##name)

static size_t address_size(int family)
{
    return family == AF_INET ? sizeof(struct in_addr) : family == AF_INET6 ? sizeof(struct in6_addr) : 0;
}

PUBLIC int inet_pton(int family, const char *restrict text, void *restrict to)
{
    const void *pc = CALLER();
    uint8_t address[sizeof(struct in6_addr)];
    if (!pc)
        return LIBC(inet_pton)(family, text, to);
    reported_length(text, SIZE_MAX, pc);
    int known = LIBC(inet_pton)(family, text, address);
    if (known != 1)
        return known;
    access_write(to, address_size(family), pc);
    plain_move(to, address, address_size(family));
    return 1;
}

PUBLIC const char *inet_ntop(int family, const void *restrict from, char *restrict to, socklen_t room)
{
    const void *pc = CALLER();
    char text[INET6_ADDRSTRLEN];
    if (!pc)
        return LIBC(inet_ntop)(family, from, to, room);
    access_read(from, address_size(family), pc);
    if (!LIBC(inet_ntop)(family, from, text, room < sizeof text ? room : sizeof text))
        return NULL;
    size_t size = plain_length(text, sizeof text) + 1;
    access_write(to, size, pc);
    return plain_move(to, text, size);
}
