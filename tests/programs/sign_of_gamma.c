// expect: bug race options: --cflags -lm
// lgamma sets a variable that the program looks at: two threads that call it race.
#define _GNU_SOURCE
#include <math.h>
#include <pthread.h>

static volatile double x = -0.5;
static double sum[2];

static void *compute(void *at)
{
    *(double *)at = lgamma(x) * signgam;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, compute, &sum[0]);
    compute(&sum[1]);
    pthread_join(t, 0);
}
