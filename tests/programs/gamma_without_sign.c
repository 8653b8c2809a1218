// expect: verified options: --cflags -lm
// Nobody looks at the sign that lgamma leaves behind.
#include <assert.h>
#include <math.h>
#include <pthread.h>

static double sum[2];

static void *compute(void *at)
{
    *(double *)at = lgamma(*(double *)at);
    return 0;
}

int main(void)
{
    pthread_t t;
    sum[0] = sum[1] = 2.5;
    pthread_create(&t, 0, compute, &sum[0]);
    compute(&sum[1]);
    pthread_join(t, 0);
    assert(sum[0] == sum[1]);
}
