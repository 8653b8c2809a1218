// One function lets go of two mutexes that nobody holds: to suppress the one hides neither the other nor what comes after.
#include <pthread.h>

static pthread_mutex_t known = PTHREAD_MUTEX_INITIALIZER, fresh = PTHREAD_MUTEX_INITIALIZER;

static void let_go(pthread_mutex_t *m)
{
    pthread_mutex_unlock(m);
}

static void *work(void *argument)
{
    let_go(&known);
#ifdef NEW
    let_go(&fresh);
#else
    pthread_mutex_lock(&fresh);
    let_go(&fresh);
#endif
    return argument;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
