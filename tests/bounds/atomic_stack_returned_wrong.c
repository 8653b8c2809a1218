// expect: bug use-after-return
// An atomic variable of a function that has returned, in the same thread.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int *published;

__attribute__((noinline)) static void publish(void)
{
    atomic_int own = 3;
    published = &own;
    __asm__ volatile("" : : "r"(&own) : "memory");
}

static void *run(void *unused)
{
    publish();
    atomic_fetch_add(published, 1);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    pthread_join(thread, 0);
    return 0;
}
