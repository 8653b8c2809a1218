// expect: bug livelock
// Two locks in either order, and a third thread that never lets go of one of them: whoever backs off does so for ever.
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

static void *keep(void *nothing)
{
    pthread_mutex_lock(&b);
    return nothing;
}

static void *work(void *nothing)
{
    both(&a, &b);
    return nothing;
}

int main(void)
{
    pthread_t thread, holder;
    pthread_create(&holder, NULL, keep, NULL);
    pthread_join(holder, NULL);
    pthread_create(&thread, NULL, work, NULL);
    both(&a, &b);
    pthread_join(thread, NULL);
    assert(count == 2);
}
