// expect: bug leak options: --leaks
// A block is lost by a thread that sees the window open.
#include <pthread.h>
#include <stddef.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int window;
static void *_Atomic kept;

static void *first(void *unused)
{
    (void)unused;
    atomic_store(&window, 1);
    atomic_store(&window, 0);
    return NULL;
}

static void *second(void *unused)
{
    (void)unused;
    void *block = malloc(16);
    if (!atomic_load(&window))
        atomic_store(&kept, block);
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, first, NULL);
    pthread_create(&two, NULL, second, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    free(atomic_load(&kept));
    return 0;
}
