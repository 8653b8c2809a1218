// expect: verified executions=2
// Structures copied under a mutex.
#include <pthread.h>
#include <stddef.h>
#include <assert.h>

struct record {
    long field[6];
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct record common, copy;

static void *first(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&mutex);
    copy = common;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

static void *second(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&mutex);
    struct record mine = {{1, 2, 3, 4, 5, 6}};
    common = mine;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, first, NULL);
    pthread_create(&two, NULL, second, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(copy.field[0] == 0 || (copy.field[0] == 1 && copy.field[5] == 6));
    return 0;
}
