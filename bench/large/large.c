// A small contest in large surroundings: two threads take turns at a counter, while
//   THREADS - 2 others each lock a mutex of their own,
//   every thread takes LENGTH locks of its own first,
//   HEAP MiB lie on the heap, all of it written to,
//   the two run DEPTH calls deep, and end there if EXITS is defined, instead of returning from all of the calls.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#ifndef THREADS
#define THREADS 2
#endif
#ifndef LENGTH
#define LENGTH 1
#endif
#ifndef HEAP
#define HEAP 0
#endif
#ifndef DEPTH
#define DEPTH 1
#endif
enum { TURNS = 6 };

static pthread_mutex_t shared = PTHREAD_MUTEX_INITIALIZER, own[THREADS];
static int counter, done[THREADS];
static char *heap[HEAP + 1];

static void contest(void)
{
    for (int i = 0; i < TURNS; i++) {
        pthread_mutex_lock(&shared);
        counter++;
        pthread_mutex_unlock(&shared);
    }
}

static __attribute__((noinline)) int descend(int depth)
{
    volatile int here[8] = {depth};
    if (depth > 1)
        return descend(depth - 1) + here[0];
    contest();
#ifdef EXITS
    pthread_exit(NULL);
#endif
    return here[0];
}

static void *thread(void *number)
{
    long me = (long)number;
    for (int i = 0; i < LENGTH; i++) {
        pthread_mutex_lock(&own[me]);
        done[me]++;
        pthread_mutex_unlock(&own[me]);
    }
    if (me < 2)
        descend(DEPTH);
    return NULL;
}

int main(void)
{
    static pthread_t handle[THREADS];
    for (int i = 0; i < HEAP; i++) {
        heap[i] = malloc(1 << 20);
        if (!heap[i])
            abort();
        memset(heap[i], i, 1 << 20);
    }
    for (long i = 0; i < THREADS; i++) {
        pthread_mutex_init(&own[i], NULL);
        pthread_create(&handle[i], NULL, thread, (void *)i);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(handle[i], NULL);
    assert(counter == 2 * TURNS);
    return 0;
}
