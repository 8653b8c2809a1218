// Buffers that change hands: four of a megabyte each go round between a thread that fills them and one that adds them up.
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

enum { BUFFERS = 4, WORDS = 1 << 18, ROUNDS = 100 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static uint32_t buffers[BUFFERS][WORDS];
static unsigned filled, emptied;
static uint64_t sum;

static void *fill(void *unused)
{
    for (unsigned r = 0; r < ROUNDS; r++) {
        pthread_mutex_lock(&mutex);
        while (filled - emptied == BUFFERS)
            pthread_cond_wait(&changed, &mutex);
        pthread_mutex_unlock(&mutex);
        for (unsigned i = 0; i < WORDS; i++)
            buffers[r % BUFFERS][i] = i * r;
        pthread_mutex_lock(&mutex);
        filled++;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

static void *empty(void *unused)
{
    for (unsigned r = 0; r < ROUNDS; r++) {
        pthread_mutex_lock(&mutex);
        while (filled == emptied)
            pthread_cond_wait(&changed, &mutex);
        pthread_mutex_unlock(&mutex);
        for (unsigned i = 0; i < WORDS; i++)
            sum += buffers[r % BUFFERS][i];
        pthread_mutex_lock(&mutex);
        emptied++;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, fill, NULL);
    pthread_create(&second, NULL, empty, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    printf("%llu\n", (unsigned long long)sum);
    return 0;
}
