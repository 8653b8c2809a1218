// expect: atomicity-of-two benign
// A counter by compare-and-swap, a flag that is looked at before it is set, Peterson's lock: all are right, although another thread's accesses
// may come between. That two of them are accessed together is seen, and does no harm.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

static atomic_int count, stop, wants[2], turn;
static int guarded;

static __attribute__((noinline)) void add(void)
{
    int now = atomic_load(&count);
    while (!atomic_compare_exchange_strong(&count, &now, now + 1))
        ;
}

static __attribute__((noinline)) void end(void)
{
    if (!atomic_load(&stop))
        atomic_store(&stop, 1);
}

static __attribute__((noinline)) void enter(int me)
{
    atomic_store(&wants[me], 1);
    atomic_store(&turn, !me);
    while (atomic_load(&wants[!me]) && atomic_load(&turn) != me)
        ;
    guarded++;
    atomic_store(&wants[me], 0);
}

static void *work(void *unused)
{
    add();
    enter(0);
    end();
    return unused;
}

static void *other(void *unused)
{
    add();
    enter(1);
    end();
    return unused;
}

int main(void)
{
    pthread_t a, b;
    atomic_store(&turn, 0); // clang 14 puts a static variable that only one function uses on its stack
    pthread_create(&a, NULL, work, NULL);
    usleep(100000);
    pthread_create(&b, NULL, other, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(count == 2 && guarded == 2);
    printf("%d\n", (int)stop);
    return 0;
}
