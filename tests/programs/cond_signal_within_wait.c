// expect: bug assertion options: --strategy bounded
// A signal comes after a thread has begun to wait and before it has let go of its mutex: whoever signalled finds the mutex taken,
// another thread gets it before the one that was woken. A bounded search has to look in between as well.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t v = PTHREAD_COND_INITIALIZER;
static atomic_int busy, mark;

static void *waiter(void *unused)
{
    pthread_mutex_lock(&m);
    pthread_cond_wait(&v, &m);
    assert(mark != 2);
    pthread_mutex_unlock(&m);
    return unused;
}

static void *waker(void *unused)
{
    pthread_cond_signal(&v);
    if (pthread_mutex_trylock(&m))
        busy = 1;
    else
        pthread_mutex_unlock(&m);
    return unused;
}

static void *marker(void *unused)
{
    int seen = busy;
    pthread_mutex_lock(&m);
    mark = 1 + seen;
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], NULL, waiter, NULL);
    pthread_create(&t[1], NULL, waker, NULL);
    pthread_create(&t[2], NULL, marker, NULL);
    pthread_join(t[1], NULL);
    pthread_join(t[2], NULL);
    return 0;
}
