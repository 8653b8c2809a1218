// expect: verified
// What getnameinfo makes of addresses, as numbers, is what the C library makes of them.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <assert.h>
#include <netdb.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>

enum { NUMBERS = NI_NUMERICHOST | NI_NUMERICSERV };

static void *look(void *nothing)
{
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(10080)};
    struct sockaddr_in6 b = {.sin6_family = AF_INET6, .sin6_port = htons(7), .sin6_addr = IN6ADDR_LOOPBACK_INIT};
    char host[64], port[16];
    a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    assert(!getnameinfo((struct sockaddr *)&a, sizeof a, host, sizeof host, port, sizeof port, NUMBERS));
    assert(!strcmp(host, "127.0.0.1") && !strcmp(port, "10080"));
    assert(!getnameinfo((struct sockaddr *)&b, sizeof b, host, sizeof host, port, sizeof port, NUMBERS));
    assert(!strcmp(host, "::1") && !strcmp(port, "7"));
    a.sin_port = 0;
    assert(!getnameinfo((struct sockaddr *)&a, sizeof a, NULL, 0, port, sizeof port, NUMBERS) && !strcmp(port, "0"));
    assert(getnameinfo((struct sockaddr *)&a, sizeof a, host, 5, NULL, 0, NUMBERS) == EAI_OVERFLOW);
    assert(!getnameinfo((struct sockaddr *)&a, sizeof a, NULL, 0, NULL, 0, NUMBERS));
    assert(getnameinfo((struct sockaddr *)&a, 3, host, sizeof host, NULL, 0, NUMBERS) == EAI_FAMILY);
    return nothing;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, NULL, look, NULL);
    look(NULL);
    pthread_join(other, NULL);
    return 0;
}
