// expect: verified
// A server that waits for connections and requests by epoll, and two clients.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { CLIENTS = 2 };

static struct sockaddr_un at = {.sun_family = AF_UNIX, .sun_path = "\0heddle/epoll"};

static void *ask_once(void *nothing)
{
    char letter = 'q';
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    assert(!connect(fd, (struct sockaddr *)&at, sizeof at));
    assert(write(fd, &letter, 1) == 1 && read(fd, &letter, 1) == 1 && letter == 'a');
    close(fd);
    return nothing;
}

static void watch(int all, int fd)
{
    struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};
    assert(!epoll_ctl(all, EPOLL_CTL_ADD, fd, &event));
}

int main(void)
{
    int listening = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0), all = epoll_create1(0), served = 0;
    pthread_t client[CLIENTS];
    assert(!bind(listening, (struct sockaddr *)&at, sizeof at) && !listen(listening, 5));
    watch(all, listening);
    for (int i = 0; i < CLIENTS; i++)
        pthread_create(&client[i], NULL, ask_once, NULL);
    while (served < CLIENTS) {
        struct epoll_event event;
        char letter;
        assert(epoll_wait(all, &event, 1, -1) == 1);
        if (event.data.fd == listening) {
            watch(all, accept4(listening, NULL, NULL, SOCK_NONBLOCK));
        } else if (read(event.data.fd, &letter, 1) == 1) {
            assert(letter == 'q' && write(event.data.fd, "a", 1) == 1);
        } else {
            close(event.data.fd);
            served++;
        }
    }
    for (int i = 0; i < CLIENTS; i++)
        pthread_join(client[i], NULL);
    close(listening);
    close(all);
    return 0;
}
