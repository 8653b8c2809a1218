// A bounded buffer whose producers and consumers wait on one condition variable and wake one thread each: a signal that was
// meant for a consumer can wake a producer, which finds the buffer full and waits again. In the end everybody waits.
#include <pthread.h>
#include <stdint.h>

#ifndef PAIRS
#define PAIRS 3
#endif
#ifndef ITEMS
#define ITEMS 2
#endif
enum { SLOTS = 1 };

static int filled;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void *produce(void *unused)
{
    for (int i = 0; i < ITEMS; i++) {
        pthread_mutex_lock(&lock);
        while (filled == SLOTS)
            pthread_cond_wait(&changed, &lock);
        filled++;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

static void *consume(void *unused)
{
    for (int i = 0; i < ITEMS; i++) {
        pthread_mutex_lock(&lock);
        while (!filled)
            pthread_cond_wait(&changed, &lock);
        filled--;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void)
{
    pthread_t thread[2 * PAIRS];
    for (intptr_t i = 0; i < 2 * PAIRS; i++)
        pthread_create(&thread[i], NULL, i % 2 ? consume : produce, NULL);
    for (int i = 0; i < 2 * PAIRS; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
