// expect: atomicity benign
// The value may change between two looks at it, and may.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void begin(void)
{
}

static void finish(void)
{
}

static void *one(void *unused)
{
    pthread_mutex_lock(&m);
    int before = count;
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    int after = count;
    pthread_mutex_unlock(&m);
    assert(after >= before);
    return unused;
}

static void *two(void *unused)
{
    pthread_mutex_lock(&m);
    count++;
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
