// expect: verified options: --fault datagram:1
// A client asks again until there is an answer: a question or an answer that is lost does no harm.
#include <arpa/inet.h>
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

static struct sockaddr_in at = {.sin_family = AF_INET};
static int server;

static void *answer(void *nothing)
{
    struct sockaddr_in from;
    char text;
    for (;;) {
        socklen_t size = sizeof from;
        assert(recvfrom(server, &text, 1, 0, (struct sockaddr *)&from, &size) == 1);
        if (text == 'e')
            return nothing;
        assert(sendto(server, "!", 1, 0, (struct sockaddr *)&from, size) == 1);
    }
}

static void ask(int fd)
{
    char text;
    struct pollfd p = {.fd = fd, .events = POLLIN};
    assert(send(fd, "?", 1, 0) == 1);
#ifndef ONCE
    if (poll(&p, 1, 1000) == 0)
        assert(send(fd, "?", 1, 0) == 1);
#else
    (void)p;
#endif
    assert(recv(fd, &text, 1, 0) == 1 && text == '!');
}

int main(void)
{
    socklen_t size = sizeof at;
    pthread_t other;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    server = socket(AF_INET, SOCK_DGRAM, 0);
    assert(!bind(server, (struct sockaddr *)&at, sizeof at) && !getsockname(server, (struct sockaddr *)&at, &size));
    pthread_create(&other, NULL, answer, NULL);
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    assert(!connect(fd, (struct sockaddr *)&at, size));
    ask(fd);
    for (int i = 0; i < 2; i++) // at most one of them is lost
        assert(send(fd, "e", 1, 0) == 1 || i);
    pthread_join(other, NULL);
    return 0;
}
