// expect: bug signal
// The same through a plain access, which heddle's own hooks see before it happens.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static int value = 1;
static int *_Atomic pointer = &value;

static void *replace(void *unused)
{
    (void)unused;
    atomic_store(&pointer, NULL);
    atomic_store(&pointer, &value);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, replace, NULL);
    int *seen = atomic_load(&pointer);
    *seen = 2;
    pthread_join(thread, NULL);
    return 0;
}
