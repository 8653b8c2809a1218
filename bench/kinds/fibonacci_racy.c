// expect: verified options: --races explore
// The same without a lock: reads and writes come in any order.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef ROUNDS
#define ROUNDS 6
#endif

static _Atomic int i = 1, j = 1;

static void *add_to_first(void *nothing)
{
    for (int n = 0; n < ROUNDS; n++)
        atomic_store(&i, atomic_load(&i) + atomic_load(&j));
    return nothing;
}

static void *add_to_second(void *nothing)
{
    for (int n = 0; n < ROUNDS; n++)
        atomic_store(&j, atomic_load(&j) + atomic_load(&i));
    return nothing;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, add_to_first, 0);
    pthread_create(&b, 0, add_to_second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(atomic_load(&i) <= 377 && atomic_load(&j) <= 377);
    return 0;
}
