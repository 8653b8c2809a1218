// Reorder: N - 1 threads set two variables one after the other, and one thread checks that it never sees the first set
// and the second not yet. Only a checker that reads after some thread's first store and before every thread's second one
// does. The more threads set, the fewer of all interleavings are such.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef N
#define N 5
#endif

static atomic_int first, second;

static void *set(void *unused)
{
    atomic_store(&first, 1);
    atomic_store(&second, -1);
    return unused;
}

static void *check(void *unused)
{
    int a = atomic_load(&first), b = atomic_load(&second);
    assert(!(a == 1 && b == 0));
    return unused;
}

int main(void)
{
    pthread_t thread[N];
    for (int i = 0; i < N; i++)
        pthread_create(&thread[i], NULL, i < N - 1 ? set : check, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
