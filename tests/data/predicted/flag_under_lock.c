// expect: race infeasible
// Whoever sees the flag comes later: what is read decides, and the model does not look at it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int ready, data;

static void begin(void)
{
}

static void finish(void)
{
}

static void *one(void *unused)
{
    data = 7;
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_mutex_unlock(&m);
    return unused;
}

static void *two(void *unused)
{
    usleep(200000);
    pthread_mutex_lock(&m);
    int seen = ready;
    pthread_mutex_unlock(&m);
    printf("%d\n", seen ? data : 7);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    begin();
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, two, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    finish();
    return 0;
}
