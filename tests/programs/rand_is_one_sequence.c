// expect: verified executions=2
// All threads draw from one sequence: whoever comes first gets its first number.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long drawn[2];
static int n;

static void *draw(void *none)
{
    pthread_mutex_lock(&lock);
    drawn[n++] = rand();
    pthread_mutex_unlock(&lock);
    return none;
}

int main(void)
{
    pthread_t a, b;
    srand(5);
    long first = rand(), second = rand();
    srand(5);
    pthread_create(&a, 0, draw, 0);
    pthread_create(&b, 0, draw, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(drawn[0] == first && drawn[1] == second);
}
