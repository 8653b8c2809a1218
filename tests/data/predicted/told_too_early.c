// expect: atomicity-of-two harmful
// The reader is told when only one half of what it needs is there; it mostly comes too late to notice.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int size, used;

static void *grow(void *unused)
{
    pthread_mutex_lock(&mutex);
    size = 2;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
    pthread_mutex_lock(&mutex);
    used = 2;
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *look(void *unused)
{
    pthread_mutex_lock(&mutex);
    while (size == 1)
        pthread_cond_wait(&changed, &mutex);
    assert(used == size);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t one, other;
    size = used = 1;
    pthread_create(&other, NULL, look, NULL);
    pthread_create(&one, NULL, grow, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    return 0;
}
