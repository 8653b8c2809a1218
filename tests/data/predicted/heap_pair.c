// expect: atomicity-of-two harmful
// Two members of a struct on the heap, in a loop; only a run in which one thread is done first shows that the rest is right.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static struct {
    int count, sum;
} * s;

static void begin(void)
{
    s = calloc(1, sizeof *s);
}

static void finish(void)
{
    free(s);
}

static void *one(void *unused)
{
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&m);
        s->count++;
        pthread_mutex_unlock(&m);
        pthread_mutex_lock(&m);
        s->sum += 2;
        pthread_mutex_unlock(&m);
    }
    return unused;
}

static void *two(void *unused)
{
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&m);
        int count = s->count, sum = s->sum;
        pthread_mutex_unlock(&m);
        assert(sum == 2 * count);
    }
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
