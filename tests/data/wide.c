// THREADS threads that take turns at eight mutexes; with -DBUG one of them looks while another is half-way.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#ifndef THREADS
#define THREADS 64
#endif
#ifndef ROUNDS
#define ROUNDS 4
#endif

static pthread_mutex_t mutex[8];
static int value[8], half_way;

static void *worker(void *argument)
{
    int self = (int)(intptr_t)argument;
    for (int i = 0; i < ROUNDS; i++) {
        int which = (self + i) % 8;
        pthread_mutex_lock(&mutex[which]);
        value[which]++;
#ifdef BUG
        if (which == 0)
            assert(!half_way || self == 8);
        if (self == 8 && which == 0)
            half_way = 1;
        if (self == 8 && which == 2) {
            pthread_mutex_lock(&mutex[0]);
            half_way = 0;
            pthread_mutex_unlock(&mutex[0]);
        }
#endif
        pthread_mutex_unlock(&mutex[which]);
    }
    return NULL;
}

int main(void)
{
    pthread_t thread[THREADS];
    for (int i = 0; i < 8; i++)
        pthread_mutex_init(&mutex[i], NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&thread[i], NULL, worker, (void *)(intptr_t)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
