// expect: verified executions=6
// A relaxed read-modify-write goes on with the release it read: who acquires from it is ordered after the release.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static int data;
static atomic_int state;

static void *publish(void *unused)
{
    (void)unused;
    data = 1;
    atomic_store_explicit(&state, 1, memory_order_release);
    return NULL;
}

static void *add(void *unused)
{
    (void)unused;
    atomic_fetch_add_explicit(&state, 1, memory_order_relaxed);
    return NULL;
}

static void *use(void *unused)
{
    (void)unused;
    if (atomic_load_explicit(&state, memory_order_acquire) == 2) // only after the store and then the addition
        assert(data == 1);
    return NULL;
}

int main(void)
{
    pthread_t thread[3];
    pthread_create(&thread[0], NULL, publish, NULL);
    pthread_create(&thread[1], NULL, add, NULL);
    pthread_create(&thread[2], NULL, use, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
