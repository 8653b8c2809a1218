// Every run fails. With few steps that is proven; with many nothing is known, and an undecided root is no avoidable one.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *add(void *none)
{
    for (int i = 0; i < K; i++)
        atomic_fetch_add(&x, 1);
    return none;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, add, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(x != 2 * K);
}
