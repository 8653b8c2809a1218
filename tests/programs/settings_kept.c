// expect: verified
// Settings of a thread and of the process are given back as they were set: processors, concurrency, default attributes. Each
// execution begins without them. A thread that is created without attributes has the default ones, a larger stack for example.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

enum { STACK = 24 << 20 };
static atomic_int turns;

static void *bind_self(void *unused)
{
    cpu_set_t all, one, now;
    int first = 0;
    assert(!pthread_getaffinity_np(pthread_self(), sizeof all, &all));
    while (!CPU_ISSET(first, &all))
        first++;
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    assert(!pthread_setaffinity_np(pthread_self(), sizeof one, &one));
    turns++;
    assert(!sched_getaffinity(0, sizeof now, &now));
    assert(CPU_EQUAL(&now, &one));
    return unused;
}

static void *use_stack(void *unused)
{
    char room[STACK / 2];
    memset(room, 1, sizeof room);
    turns++;
    assert(room[sizeof room - 1] == 1);
    return unused;
}

int main(void)
{
    pthread_attr_t attributes, now;
    size_t size;
    pthread_t a, b;
    assert(pthread_getconcurrency() == 0 && !pthread_setconcurrency(3) && pthread_getconcurrency() == 3);
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK);
    assert(!pthread_setattr_default_np(&attributes));
    assert(!pthread_getattr_default_np(&now) && !pthread_attr_getstacksize(&now, &size) && size == STACK);
    pthread_create(&a, 0, bind_self, 0);
    pthread_create(&b, 0, use_stack, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
