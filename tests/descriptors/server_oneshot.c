// expect: verified
// A server that asks to be told once asks again.
#include "server.h"

#include <sys/epoll.h>

static void *serve(void *listener)
{
    int s = accept(*(int *)listener, NULL, NULL), all = epoll_create1(0);
    struct epoll_event e = {EPOLLIN | EPOLLONESHOT, {.fd = s}}, told;
    char c;
    assert(!epoll_ctl(all, EPOLL_CTL_ADD, s, &e));
    for (int n = 0; n < 2; n++) {
        assert(epoll_wait(all, &told, 1, -1) == 1 && read(s, &c, 1) == 1);
        assert(!epoll_ctl(all, EPOLL_CTL_MOD, s, &e));
    }
    close(s);
    return NULL;
}

int main(void)
{
    pthread_t t;
    int listener = server_listen();
    assert(!pthread_create(&t, NULL, serve, &listener));
    int s = server_connect();
    assert(write(s, "ab", 2) == 2);
    join(t);
    return 0;
}
