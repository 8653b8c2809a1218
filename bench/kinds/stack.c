// expect: verified
// One thread pushes, the other pops if there is something; neither over- nor underflows.
#include <assert.h>
#include <pthread.h>

#ifndef SIZE
#define SIZE 100
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned values[SIZE];
static int top;

static void *push(void *nothing)
{
    for (int n = 0; n < SIZE; n++) {
        pthread_mutex_lock(&lock);
        assert(top < SIZE);
        values[top++] = 1;
        pthread_mutex_unlock(&lock);
    }
    return nothing;
}

static void *pop(void *nothing)
{
    for (int n = 0; n < SIZE; n++) {
        pthread_mutex_lock(&lock);
        if (top > 0) {
            assert(values[--top] == 1);
            values[top] = 0;
        }
        pthread_mutex_unlock(&lock);
    }
    return nothing;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, push, 0);
    pthread_create(&b, 0, pop, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
