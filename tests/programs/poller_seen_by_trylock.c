// expect: bug assertion options: --strategy optimal
// A thread polls under a lock. That main sees the lock busy, free and busy again needs two rounds of the poller.
#include <assert.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static const struct timespec soon = {1, 0};
static int flag;

static void *poller(void *argument)
{
    for (;;) {
        pthread_mutex_lock(&mutex);
        int set = flag;
        pthread_mutex_unlock(&mutex);
        if (set)
            return argument;
    }
}

static int is_busy(void)
{
    if (pthread_mutex_trylock(&mutex))
        return 1;
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, poller, 0);
    int a = is_busy(), b = is_busy(), c = is_busy();
    pthread_mutex_lock(&mutex);
    flag = 1;
    pthread_mutex_unlock(&mutex);
    pthread_join(t, 0);
    assert(!(a && !b && c));
    (void)soon;
}
