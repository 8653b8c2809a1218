// expect: bug signal
// An atomic store to read-only memory: heddle does it in the program's stead, and it is the program that fails.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static const int fixed = 1;
static atomic_int value;

static void *store(void *unused)
{
    atomic_int *place = (atomic_int *)&fixed;
    __asm__("" : "+r"(place));
    if (atomic_load(&value))
        atomic_store(place, 3);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, store, NULL);
    atomic_store(&value, 1);
    pthread_join(thread, NULL);
    return 0;
}
