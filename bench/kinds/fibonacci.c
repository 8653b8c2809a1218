// expect: verified
// Two threads add to each other's number under a lock: the largest sum is a Fibonacci number.
#include <assert.h>
#include <pthread.h>

#ifndef ROUNDS
#define ROUNDS 11
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int i = 1, j = 1;

static void *add_to(void *second)
{
    for (int n = 0; n < ROUNDS; n++) {
        pthread_mutex_lock(&lock);
        if (second)
            j += i;
        else
            i += j;
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

int main(void)
{
    pthread_t a, b;
    int before = 0, last = 1;
    for (int n = 0; n < 2 * ROUNDS + 1; n++) {
        int next = before + last;
        before = last;
        last = next;
    }
    pthread_create(&a, 0, add_to, 0);
    pthread_create(&b, 0, add_to, &lock);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(i <= last && j <= last);
    return 0;
}
