// Tens of thousands of events; in the middle of them one thread is half-way through a change when another looks. Random
// switches show it, thousands of which have nothing to do with it.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#ifndef ROUNDS
#define ROUNDS 6000
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int half_way, work;

static void set(int value)
{
    pthread_mutex_lock(&mutex);
    half_way = value;
    pthread_mutex_unlock(&mutex);
}

static void look(void)
{
    pthread_mutex_lock(&mutex);
    assert(!half_way);
    pthread_mutex_unlock(&mutex);
}

static void *worker(void *changes)
{
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&mutex);
        work++;
        pthread_mutex_unlock(&mutex);
        if (i != ROUNDS / 2)
            continue;
        if (changes) {
            set(1);
            set(0);
        } else {
            look();
        }
    }
    return NULL;
}

int main(void)
{
    pthread_t thread[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&thread[i], NULL, worker, i ? NULL : &work);
    for (int i = 0; i < 4; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
