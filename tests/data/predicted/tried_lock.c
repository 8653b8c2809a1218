// expect: nothing
// Locks in opposite orders, but one of the threads only tries, and lets go if it does not get the second.
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *one(void *unused)
{
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&n);
    x++;
    pthread_mutex_unlock(&n);
    pthread_mutex_unlock(&m);
    return unused;
}

static void *two(void *unused)
{
    usleep(50000);
    for (;;) {
        pthread_mutex_lock(&n);
        if (pthread_mutex_trylock(&m) == 0)
            break;
        pthread_mutex_unlock(&n);
        sched_yield();
    }
    x++;
    pthread_mutex_unlock(&m);
    pthread_mutex_unlock(&n);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, two, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return x != 2;
}
