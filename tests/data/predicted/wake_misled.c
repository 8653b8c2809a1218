// expect: atomicity benign, lost-wake-up harmful
// record: T2 woken
// Two threads wait for different things on one condition variable, and each signal may wake the wrong one, which waits again.
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int level;

static void wait_for(int least)
{
    pthread_mutex_lock(&mutex);
    while (level < least)
        pthread_cond_wait(&changed, &mutex);
    pthread_mutex_unlock(&mutex);
}

static void *low(void *unused)
{
    wait_for(1);
    return unused;
}

static void *high(void *unused)
{
    usleep(30000);
    wait_for(2);
    return unused;
}

static void rise(void)
{
    usleep(80000);
    pthread_mutex_lock(&mutex);
    level++;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, low, NULL);
    pthread_create(&threads[1], NULL, high, NULL);
    rise();
    rise();
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
