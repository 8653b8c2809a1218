// expect: verified
// A listener that is watched for edges tells of each connection that comes after the last one was told.
#include <arpa/inet.h>
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { CLIENTS = 2 };

static struct sockaddr_in at = {.sin_family = AF_INET};

static void *visit(void *nothing)
{
    char text;
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    assert(!connect(fd, (struct sockaddr *)&at, sizeof at) && read(fd, &text, 1) == 0);
    close(fd);
    return nothing;
}

int main(void)
{
    struct epoll_event event = {.events = EPOLLIN | EPOLLET};
    socklen_t size = sizeof at;
    pthread_t clients[CLIENTS];
    int accepted = 0, epoll = epoll_create1(0), listening = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    assert(!bind(listening, (struct sockaddr *)&at, sizeof at) && !listen(listening, CLIENTS));
    assert(!getsockname(listening, (struct sockaddr *)&at, &size));
    assert(!epoll_ctl(epoll, EPOLL_CTL_ADD, listening, &event));
    for (int i = 0; i < CLIENTS; i++)
        pthread_create(&clients[i], NULL, visit, NULL);
    while (accepted < CLIENTS) {
        assert(epoll_wait(epoll, &event, 1, -1) == 1);
        int fd;
#ifdef ONE_EACH
        if ((fd = accept(listening, NULL, NULL)) >= 0) {
#else
        while ((fd = accept(listening, NULL, NULL)) >= 0) {
#endif
            accepted++;
            close(fd);
        }
    }
    for (int i = 0; i < CLIENTS; i++)
        pthread_join(clients[i], NULL);
    close(listening);
    close(epoll);
    return 0;
}
