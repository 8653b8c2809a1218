// Two threads each add one to a count, with a load and a store. The second one starts so late that the first one has long been done,
// unless something holds it back between the two.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

enum { LATE_US = 300000 };

static atomic_int count;

static void add(void)
{
    int now = atomic_load_explicit(&count, memory_order_relaxed);
    atomic_store_explicit(&count, now + 1, memory_order_relaxed);
}

static void *run(void *late)
{
    usleep((useconds_t)(intptr_t)late);
    add();
    return NULL;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, run, NULL);
    pthread_create(&second, NULL, run, (void *)(intptr_t)LATE_US);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    printf("%d\n", atomic_load(&count));
    return 0;
}
