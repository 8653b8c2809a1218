// expect: verified executions=10
// Two waiters and a broadcast. With the setter's critical section first: 2 orders of the others; with one waiter before
// it: which one, and whether the woken or the late one locks next, 4; with both before it: their order, and the
// order in which they wake, 4.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready, passed;

static void *waiter(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&mutex);
    while (!ready)
        pthread_cond_wait(&changed, &mutex);
    passed++;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

static void *setter(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&mutex);
    ready = 1;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void)
{
    pthread_t thread[3];
    pthread_create(&thread[0], NULL, waiter, NULL);
    pthread_create(&thread[1], NULL, waiter, NULL);
    pthread_create(&thread[2], NULL, setter, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(thread[i], NULL);
    assert(passed == 2);
    return 0;
}
