// Every run that ends fails; those that are cut at the bound of steps say nothing.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag, rounds;

static void *wait_for_flag(void *none)
{
    while (!atomic_load(&flag))
        atomic_fetch_add(&rounds, 1);
    return none;
}

static void *set_flag(void *none)
{
    atomic_store(&flag, 1);
    return none;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, wait_for_flag, 0);
    pthread_create(&b, 0, set_flag, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(flag == 2);
}
