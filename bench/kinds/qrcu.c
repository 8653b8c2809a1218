// expect: verified
// Readers announce themselves in one of two counters; who updates flips between them and waits for both to empty.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static _Atomic int which, readers[2] = {1, 0}, in_read, done_update;
static pthread_mutex_t updates = PTHREAD_MUTEX_INITIALIZER;

static void *reader(void *nothing)
{
    int at, count;
    for (;;) {
        at = atomic_load(&which);
        count = atomic_load(&readers[at]);
        if (count > 0 && atomic_compare_exchange_strong(&readers[at], &count, count + 1))
            break;
    }
    atomic_fetch_add(&in_read, 1);
    atomic_fetch_sub(&in_read, 1);
    atomic_fetch_sub(&readers[at], 1);
    return nothing;
}

static int sum(void)
{
    int first = atomic_load(&readers[0]);
    return first + atomic_load(&readers[1]);
}

static void *updater(void *nothing)
{
    atomic_store(&done_update, 1);
    int all = sum();
    if (all <= 1)
        all = sum();
    if (all > 1) {
        pthread_mutex_lock(&updates);
        int old = atomic_load(&which);
        atomic_fetch_add(&readers[!old], 1);
        atomic_store(&which, !old);
        atomic_fetch_sub(&readers[old], 1);
        while (atomic_load(&readers[old]))
            ;
        pthread_mutex_unlock(&updates);
    }
    return nothing;
}

int main(void)
{
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], 0, i < 2 ? reader : updater, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    assert(!atomic_load(&in_read));
    return 0;
}
