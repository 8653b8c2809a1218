// expect: verified
// A producer puts numbers into a queue, a consumer takes them out, each under one lock and whenever it finds room.
#include <assert.h>
#include <pthread.h>

#ifndef SIZE
#define SIZE 100
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int items[SIZE], head, tail;

static void *put(void *nothing)
{
    for (int n = 0; n < SIZE; n++) {
        pthread_mutex_lock(&lock);
        items[tail++] = n;
        pthread_mutex_unlock(&lock);
    }
    return nothing;
}

static void *take(void *nothing)
{
    for (int n = 0; n < SIZE; n++) {
        pthread_mutex_lock(&lock);
        if (head < tail) {
            assert(items[head] == head);
            head++;
        }
        pthread_mutex_unlock(&lock);
    }
    return nothing;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, put, 0);
    pthread_create(&b, 0, take, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
