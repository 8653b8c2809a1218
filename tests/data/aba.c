// The slot is emptied and filled again. Whoever finds the same address there believes that nothing happened, which is
// wrong if malloc gave out the freed block again. No freed memory is touched.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

static void *_Atomic slot;
static atomic_int generation;

static void *replaces(void *unused)
{
    (void)unused;
    free(atomic_exchange(&slot, NULL));
    atomic_fetch_add(&generation, 1);
    atomic_store(&slot, malloc(24));
    return NULL;
}

static void *compares(void *unused)
{
    (void)unused;
    int before = atomic_load(&generation);
    void *seen = atomic_load(&slot);
    if (!seen)
        return NULL;
    int between = atomic_load(&generation);
    void *again = seen;
    if (between == before && atomic_compare_exchange_strong(&slot, &again, seen))
        assert(atomic_load(&generation) == before || atomic_load(&slot) != seen);
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    atomic_store(&slot, malloc(24));
    pthread_create(&one, NULL, compares, NULL);
    pthread_create(&two, NULL, replaces, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    free(atomic_load(&slot));
    return 0;
}
