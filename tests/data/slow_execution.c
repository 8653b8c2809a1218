// One execution takes several seconds, far more than the time it is given, with a visible operation now and then.
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void compute(void)
{
    for (long i = 0; i < 2500000000; i++)
        __asm__ volatile("" : "+r"(i));
}

static void *work(void *unused)
{
    for (int round = 0; round < 6; round++) {
        pthread_mutex_lock(&lock);
        pthread_mutex_unlock(&lock);
        compute();
    }
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
