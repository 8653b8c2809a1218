// expect: verified executions=6
// pthread spin locks.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_spinlock_t lock;
static int count;

static void *worker(void *unused)
{
    (void)unused;
    pthread_spin_lock(&lock);
    count++;
    pthread_spin_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t threads[3];
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    assert(count == 3);
    pthread_spin_destroy(&lock);
    return 0;
}
