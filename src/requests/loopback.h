// Servers on this machine, and no others: recorded requests are sent only where they can do no harm to anybody else.
//
// An address is looked up once; all that its name stands for has to be loopback (127.0.0.0/8, ::1, and the former written as IPv6),
// and what was checked is what is connected to. No proxy is used, and nobody is followed who says that something is elsewhere.
#ifndef REQUESTS_LOOPBACK_H
#define REQUESTS_LOOPBACK_H

#include <stdbool.h>
#include <sys/socket.h>

struct loopback {
    struct sockaddr_storage address;
    socklen_t length;
    char *host; // as the Host header has it; to be freed
};

// "http://HOST[:PORT][/]". False: `wrong` (to be freed) says why, as a sentence.
bool loopback_resolve(const char *url, struct loopback *to, char **wrong);

bool loopback_is_one(const struct sockaddr *address);

// A socket, or -1 with errno set. Reading and writing give up after some seconds.
int loopback_connect(const struct loopback *to);

#endif
