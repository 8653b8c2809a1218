// expect: verified
// main returns while a detached thread still has operations to do: the process ends between any two of them.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;

static void *worker(void *unused)
{
    (void)unused;
    atomic_store(&x, 1);
    atomic_store(&x, 2);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_detach(thread);
    return 0;
}
