// expect: verified
// A thread ends once it has read, by a relaxed or volatile load, the last value that another writes to its variable (as in liburcu).
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef LATER
#define LATER 0
#endif

struct wait {
    atomic_int state;
    int word;
};

static _Atomic(struct wait *) first, second;

static void *wait_for_atomic(void *unused)
{
    struct wait own = {0};
    atomic_store(&first, &own);
    while (!(atomic_load_explicit(&own.state, memory_order_relaxed) & 1))
        ;
    return unused;
}

static void *wait_for_volatile(void *unused)
{
    struct wait own = {0};
    atomic_store(&second, &own);
    while (!*(volatile int *)&own.word)
        ;
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    struct wait *waiting;
    pthread_create(&threads[0], NULL, wait_for_atomic, NULL);
    pthread_create(&threads[1], NULL, wait_for_volatile, NULL);
    while (!(waiting = atomic_load(&first)))
        ;
    atomic_fetch_or(&waiting->state, 1);
    if (LATER)
        atomic_fetch_or(&waiting->state, 2);
    while (!(waiting = atomic_load(&second)))
        ;
    if (waiting->word) // a look before the last access
        return 1;
    __atomic_store_n(&waiting->word, 1, __ATOMIC_SEQ_CST);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
