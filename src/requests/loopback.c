#include "requests/loopback.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/alloc.h"

enum { MOST_SECONDS = 10 };

bool loopback_is_one(const struct sockaddr *address)
{
    if (address->sa_family == AF_INET) {
        const struct sockaddr_in *v4 = (const void *)address;
        return ntohl(v4->sin_addr.s_addr) >> 24 == 127;
    }
    if (address->sa_family != AF_INET6)
        return false;
    const struct in6_addr *v6 = &((const struct sockaddr_in6 *)(const void *)address)->sin6_addr;
    return IN6_IS_ADDR_LOOPBACK(v6) || (IN6_IS_ADDR_V4MAPPED(v6) && v6->s6_addr[12] == 127);
}

// "HOST[:PORT]" or "[ADDRESS][:PORT]" in parts. False: it is neither.
static bool part_authority(const char *authority, char **host, char **port)
{
    const char *end = authority;
    if (*authority == '[') {
        end = strchr(authority, ']');
        if (!end)
            return false;
        *host = alloc_copy_part(authority + 1, (size_t)(end++ - authority) - 1);
    } else {
        end += strcspn(authority, ":");
        *host = alloc_copy_part(authority, (size_t)(end - authority));
    }
    *port = alloc_copy(*end == ':' ? end + 1 : "80");
    bool good = (*end == ':' || !*end) && **host && **port && strspn(*port, "0123456789") == strlen(*port);
    return good && strtoul(*port, NULL, 10) - 1 < 65535;
}

static bool look_up(const char *host, const char *port, struct loopback *to, char **wrong)
{
    struct addrinfo *list = NULL, hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV};
    int error = getaddrinfo(host, port, &hints, &list);
    if (error) {
        *wrong = alloc_format("%s cannot be looked up: %s", host, gai_strerror(error));
        return false;
    }
    bool good = list != NULL;
    for (const struct addrinfo *one = list; one; one = one->ai_next)
        good &= loopback_is_one(one->ai_addr);
    if (good) {
        memcpy(&to->address, list->ai_addr, list->ai_addrlen);
        to->length = list->ai_addrlen;
    } else {
        *wrong = alloc_format("%s is not on this machine's loopback: requests are sent nowhere else", host);
    }
    freeaddrinfo(list);
    return good;
}

bool loopback_resolve(const char *url, struct loopback *to, char **wrong)
{
    char *host = NULL, *port = NULL;
    *to = (struct loopback){0};
    bool good = !strncasecmp(url, "http://", 7);
    const char *authority = good ? url + 7 : "";
    size_t length = strcspn(authority, "/?#");
    char *copy = alloc_copy_part(authority, length);
    // What stands in front of an @ looks like a host and is none.
    good = good && !strcmp(authority + length, authority[length] == '/' ? "/" : "") && !strchr(copy, '@') &&
           part_authority(copy, &host, &port);
    if (!good)
        *wrong = alloc_format("a server is http://HOST:PORT, not %s", url);
    good = good && look_up(host, port, to, wrong);
    if (good)
        to->host = alloc_copy(copy);
    free(copy);
    free(host);
    free(port);
    return good;
}

int loopback_connect(const struct loopback *to)
{
    struct timeval patience = {.tv_sec = MOST_SECONDS};
    struct sockaddr_storage peer;
    socklen_t length = sizeof peer;
    int fd = socket(to->address.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -1;
    if (setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience) ||
        setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience) ||
        connect(fd, (const struct sockaddr *)&to->address, to->length) ||
        getpeername(fd, (struct sockaddr *)&peer, &length) || !loopback_is_one((const struct sockaddr *)&peer)) {
        int error = errno;
        close(fd);
        errno = error;
        return -1;
    }
    return fd;
}
