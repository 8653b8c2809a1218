// expect: verified options: --restart verify
// A handler joins a thread. A branch that is looked at by replay as well goes on as it was, though the join is made later then.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_t thread;
static atomic_int value;
static int joined;

static void count(void)
{
    value++;
}

static void finish(void)
{
    pthread_join(thread, NULL);
    joined = 1;
    value++;
}

static void *work(void *nothing)
{
    pthread_mutex_lock(&mutex);
    value = 1;
    pthread_mutex_unlock(&mutex);
    return nothing;
}

static void *leave(void *nothing)
{
    value++;
    quick_exit(0);
    return nothing;
}

int main(void)
{
    pthread_t other;
    atexit(finish);
    atexit(count);
    atexit(count);
    pthread_create(&thread, NULL, work, NULL);
    pthread_create(&other, NULL, leave, NULL);
    return 0;
}
