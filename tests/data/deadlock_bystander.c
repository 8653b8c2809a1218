// T2 and T3 deadlock (or, with LOST, T2 waits for a signal that came before); T1 and T4 have nothing to do with it.
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER, z = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static atomic_int steps;
static int n;

static void *stands_by(void *argument)
{
    for (int i = 0; i < 4; i++) {
        pthread_mutex_lock(&z);
        n++;
        pthread_mutex_unlock(&z);
        steps++;
    }
    return argument;
}

#ifdef LOST
static void *one(void *argument)
{
    pthread_mutex_lock(&a);
    pthread_cond_wait(&c, &a);
    pthread_mutex_unlock(&a);
    return argument;
}

static void *two(void *argument)
{
    pthread_mutex_lock(&a);
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&a);
    return argument;
}
#else
static void *one(void *argument)
{
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return argument;
}

static void *two(void *argument)
{
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return argument;
}
#endif

int main(void)
{
    pthread_t t[4];
    pthread_create(&t[0], NULL, stands_by, NULL);
    pthread_create(&t[1], NULL, one, NULL);
    pthread_create(&t[2], NULL, two, NULL);
    pthread_create(&t[3], NULL, stands_by, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], NULL);
    return 0;
}
