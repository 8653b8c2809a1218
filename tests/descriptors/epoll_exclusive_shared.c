// expect: incomplete refused: EPOLLEXCLUSIVE
// Whose waiters are woken if several epolls watch a descriptor exclusively is not explored, and is said.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int counter;

static void *watch(void *nothing)
{
    struct epoll_event event = {.events = EPOLLIN | EPOLLEXCLUSIVE};
    int epoll = epoll_create1(0);
    assert(!epoll_ctl(epoll, EPOLL_CTL_ADD, counter, &event) && epoll_wait(epoll, &event, 1, -1) == 1);
    return nothing;
}

int main(void)
{
    pthread_t other;
    counter = eventfd(1, 0);
    pthread_create(&other, NULL, watch, NULL);
    watch(NULL);
    pthread_join(other, NULL);
    return 0;
}
