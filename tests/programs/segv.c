// expect: bug signal
// A pointer that is null for a moment is dereferenced.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int value = 1;
static atomic_int *_Atomic pointer = &value;

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
    atomic_int *seen = atomic_load(&pointer);
    atomic_store(seen, 2);
    pthread_join(thread, NULL);
    return 0;
}
