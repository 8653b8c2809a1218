// expect: bug use-after-return
// An atomic variable of a thread that has ended.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int *published;

static void *publish(void *unused)
{
    atomic_int own = 3;
    published = &own;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, publish, 0);
    pthread_join(thread, 0);
    return atomic_load(published) == 77;
}
