// expect: verified says: epoll tells of several descriptors in the order
// Two descriptors are ready: which is told first is the order of adding here, and that of becoming ready in the kernel.
#include <assert.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

int main(void)
{
    struct epoll_event told[2], in = {.events = EPOLLIN};
    int epoll = epoll_create1(0);
    assert(!epoll_ctl(epoll, EPOLL_CTL_ADD, eventfd(1, 0), &in));
    assert(epoll_wait(epoll, told, 2, -1) == 1);
    assert(!epoll_ctl(epoll, EPOLL_CTL_ADD, eventfd(1, 0), &in));
    assert(epoll_wait(epoll, told, 2, -1) == 2);
}
