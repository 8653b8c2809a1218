// Figure 4.1 of Yang, "Efficient dynamic verification of concurrent programs" (Utah 2009): few states, very many
// interleavings. The atomic blocks of the figure are critical sections of one mutex. With a = ceil(N / 5) rounds of the
// one thread and b = ceil(N / 2) of the other there are (a + b)! / (a! b!) traces: 1,001 for N = 20, and for the
// figure's N = 64 73,006,209,045 (a = 13, b = 32).
//
// The assertion can fail: a remainder in C has the sign of its dividend, so d % 5 is 4 only for a positive d, which the
// second thread reaches by 15 - 6 = 9. -DNOASSERT leaves it out, for counting.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#ifndef N
#define N 64
#endif

#ifdef NOASSERT
#define CHECK(condition) ((void)0)
#else
#define CHECK(condition) assert(condition)
#endif

static pthread_mutex_t atomic = PTHREAD_MUTEX_INITIALIZER;
static int d;

static void *adder(void *unused)
{
    (void)unused;
    for (int i = 0; i < N; i += 5) {
        pthread_mutex_lock(&atomic);
        d = d + i;
        CHECK(d % 5 != 4);
        pthread_mutex_unlock(&atomic);
    }
    return NULL;
}

static void *subtracter(void *unused)
{
    (void)unused;
    for (int j = 0; j < N; j += 2) {
        pthread_mutex_lock(&atomic);
        d = d - j;
        CHECK(d % 5 != 4);
        pthread_mutex_unlock(&atomic);
    }
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, adder, NULL);
    pthread_create(&two, NULL, subtracter, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
