// A TCP server and its clients on loopback, as small as they can be.
#ifndef SERVER_H
#define SERVER_H

#include "outcome.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

static struct sockaddr_in server_address;

static int server_listen(void)
{
    socklen_t size = sizeof server_address;
    int s = socket(AF_INET, SOCK_STREAM, 0);
    server_address = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    assert(!bind(s, (void *)&server_address, size) && !listen(s, 8));
    assert(!getsockname(s, (void *)&server_address, &size));
    return s;
}

static int server_connect(void)
{
    int s = socket(AF_INET, SOCK_STREAM, 0);
    assert(!connect(s, (void *)&server_address, sizeof server_address));
    return s;
}

#endif
