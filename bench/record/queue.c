// Bound by locks: one thread hands a million numbers to another, through a queue of 64.
#include <pthread.h>
#include <stdio.h>

enum { ITEMS = 1000000, ROOM = 64 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;
static long slots[ROOM], sum;
static unsigned in, out;

static void *produce(void *unused)
{
    for (long i = 0; i < ITEMS; i++) {
        pthread_mutex_lock(&mutex);
        while (in - out == ROOM)
            pthread_cond_wait(&not_full, &mutex);
        slots[in++ % ROOM] = i;
        pthread_cond_signal(&not_empty);
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

static void *consume(void *unused)
{
    for (long i = 0; i < ITEMS; i++) {
        pthread_mutex_lock(&mutex);
        while (in == out)
            pthread_cond_wait(&not_empty, &mutex);
        sum += slots[out++ % ROOM];
        pthread_cond_signal(&not_full);
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

int main(void)
{
    pthread_t producer, consumer;
    pthread_create(&producer, NULL, produce, NULL);
    pthread_create(&consumer, NULL, consume, NULL);
    pthread_join(producer, NULL);
    pthread_join(consumer, NULL);
    printf("%ld\n", sum);
    return 0;
}
