// expect: verified executions=2
// Thread-specific data: each thread has its own, and destructors run when it ends.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_key_t key;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int destroyed;

static void destroy(void *value)
{
    pthread_mutex_lock(&mutex);
    destroyed++;
    pthread_mutex_unlock(&mutex);
    free(value);
}

static void *worker(void *number)
{
    assert(!pthread_getspecific(key));
    long *own = malloc(sizeof *own);
    *own = (long)number;
    assert(!pthread_setspecific(key, own));
    assert(*(long *)pthread_getspecific(key) == (long)number);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    assert(!pthread_key_create(&key, destroy));
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, worker, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(destroyed == 2 && !pthread_getspecific(key));
    assert(!pthread_key_delete(key));
    return 0;
}
