// expect: bug assertion
// Without a lock it is open who draws which number, even where nothing else connects the threads.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static long drawn[2];

static void *draw(void *at)
{
    *(long *)at = lrand48();
    return 0;
}

int main(void)
{
    pthread_t a, b;
    srand48(7);
    long first = lrand48(), second = lrand48();
    srand48(7);
    pthread_create(&a, 0, draw, &drawn[0]);
    pthread_create(&b, 0, draw, &drawn[1]);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(drawn[0] == first && drawn[1] == second);
}
