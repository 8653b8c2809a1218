// expect: verified executions=2 options: --leaks
// Blocks that are freed, or that a global variable still points to at the end, are no leaks.
#include <pthread.h>
#include <stddef.h>
#include <stdatomic.h>
#include <stdlib.h>

static void *_Atomic kept;
static void *fixed;

static void *first(void *unused)
{
    (void)unused;
    fixed = malloc(16);
    free(atomic_exchange(&kept, malloc(16)));
    return NULL;
}

static void *second(void *unused)
{
    (void)unused;
    free(atomic_exchange(&kept, malloc(16)));
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, first, NULL);
    pthread_create(&two, NULL, second, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
