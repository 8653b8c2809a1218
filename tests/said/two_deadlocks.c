// Two deadlocks: a lost wake-up that needs no preemption, and two locks in both orders, which needs one.
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER, c = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t signalled = PTHREAD_COND_INITIALIZER;

static void *waiter(void *none)
{
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    pthread_mutex_lock(&c);
    pthread_cond_wait(&signalled, &c);
    pthread_mutex_unlock(&c);
    return none;
}

static void *signaller(void *none)
{
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    pthread_cond_signal(&signalled);
    return none;
}

int main(void)
{
    pthread_t x, y;
    pthread_create(&x, 0, waiter, 0);
    pthread_create(&y, 0, signaller, 0);
    pthread_join(x, 0);
    pthread_join(y, 0);
}
