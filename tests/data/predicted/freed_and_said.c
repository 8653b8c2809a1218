// expect: use-after-free infeasible
// The same, and who comes later sees that it is gone.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int *p;

static void begin(void)
{
    p = malloc(sizeof *p);
    *p = 3;
}

static void finish(void)
{
}

static void *one(void *unused)
{
    pthread_mutex_lock(&m);
    if (p)
        *p = 4;
    pthread_mutex_unlock(&m);
    return unused;
}

static void *two(void *unused)
{
    usleep(200000);
    pthread_mutex_lock(&m);
    free(p);
    p = NULL;
    pthread_mutex_unlock(&m);
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
