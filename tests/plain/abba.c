// expect: bug deadlock
// Two mutexes, taken in both orders.
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER;

static void both(pthread_mutex_t *first, pthread_mutex_t *second)
{
    pthread_mutex_lock(first);
    pthread_mutex_lock(second);
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
}

static void *other_way(void *unused)
{
    both(&right, &left);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, other_way, NULL);
    both(&left, &right);
    pthread_join(thread, NULL);
    return 0;
}
