// expect: incomplete options: --time 5
// A thread that is alone and loops for ever: the search ends, with a reason and in bounded memory, and accuses nobody.
#include <pthread.h>

static volatile unsigned count;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void step(unsigned *last)
{
    pthread_mutex_lock(&mutex);
    *last = count;
    count = count + 1;
    pthread_mutex_unlock(&mutex);
}

int main(void)
{
    unsigned last;
    for (;;)
        step(&last);
}
