// expect: verified
// Two locks in either order without a deadlock: whoever cannot have both lets the first one go and begins again. The two
// could do so in step for ever, but only by chance.
#include <assert.h>
#include <pthread.h>
#include <sched.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void both(pthread_mutex_t *first, pthread_mutex_t *second)
{
    for (;;) {
        pthread_mutex_lock(first);
        if (pthread_mutex_trylock(second) == 0)
            break;
        pthread_mutex_unlock(first);
        sched_yield();
    }
    count++;
    pthread_mutex_unlock(first);
    pthread_mutex_unlock(second);
}

static void *work(void *nothing)
{
    both(&b, &a);
    return nothing;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    both(&a, &b);
    pthread_join(thread, NULL);
    assert(count == 2);
}
