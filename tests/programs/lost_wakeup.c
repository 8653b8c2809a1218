// expect: bug deadlock
// The flag is looked at without the mutex: the signal may come before the wait.
#include <pthread.h>
#include <stddef.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static atomic_int ready;

static void *first(void *unused)
{
    (void)unused;
    if (!atomic_load(&ready)) {
        pthread_mutex_lock(&mutex);
        pthread_cond_wait(&changed, &mutex);
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

static void *second(void *unused)
{
    (void)unused;
    atomic_store(&ready, 1);
    pthread_cond_signal(&changed);
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, first, NULL);
    pthread_create(&two, NULL, second, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
