// `sharr` of Yang, "Efficient dynamic verification of concurrent programs" (Utah 2009), written anew: threads add to the elements
// of one array, each under the lock of its element. Many orders, few states.
#include <pthread.h>

#ifndef THREADS
#define THREADS 3
#endif
#ifndef ROUNDS
#define ROUNDS 8
#endif
enum { ELEMENTS = 2 };

static pthread_mutex_t lock[ELEMENTS] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int array[ELEMENTS];

static void *work(void *unused)
{
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&lock[i % ELEMENTS]);
        array[i % ELEMENTS]++;
        pthread_mutex_unlock(&lock[i % ELEMENTS]);
    }
    return unused;
}

int main(void)
{
    pthread_t thread[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&thread[i], NULL, work, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    return array[0] + array[1] != THREADS * ROUNDS;
}
