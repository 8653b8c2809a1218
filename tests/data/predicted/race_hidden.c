// expect: race benign
// The lock happens to order the two writes in the recorded run.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x, y;

static void begin(void)
{
}

static void finish(void)
{
    printf("%d\n", x);
}

static void *one(void *unused)
{
    x = 1;
    pthread_mutex_lock(&m);
    y++;
    pthread_mutex_unlock(&m);
    return unused;
}

static void *two(void *unused)
{
    usleep(200000);
    pthread_mutex_lock(&m);
    y++;
    pthread_mutex_unlock(&m);
    x = 2;
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
