// expect: bug deadlock native: no says: waits for the epoll made at
// Edge-triggered, and reads only one of two bytes each time.
#include "outcome.h"

#include <sys/epoll.h>

static int ends[2];

static void *writer(void *unused)
{
    (void)unused;
    for (int i = 0; i < 2; i++)
        assert(write(ends[1], "x", 1) == 1);
    return NULL;
}

int main(void)
{
    int epoll = epoll_create(1);
    assert(!pipe(ends));
    struct epoll_event edge = {.events = EPOLLIN | EPOLLET}, got;
    assert(!epoll_ctl(epoll, EPOLL_CTL_ADD, ends[0], &edge));
    pthread_t a = start(writer);
    for (int i = 0; i < 2; i++) {
        char c;
        assert(epoll_wait(epoll, &got, 1, -1) == 1);
        assert(read(ends[0], &c, 1) == 1);
    }
    join(a);
    return 0;
}
