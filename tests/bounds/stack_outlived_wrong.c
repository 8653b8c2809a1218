// expect: bug use-after-return options: --memory-errors
// A function returns before the thread that uses its variable does: that depends on the order.
#include <pthread.h>

static pthread_t thread;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *use(void *argument)
{
    pthread_mutex_lock(&mutex);
    int value = *(int *)argument;
    pthread_mutex_unlock(&mutex);
    return value == 1000 ? argument : 0;
}

__attribute__((noinline)) static void start(int number)
{
    int local[8] = {number};
    pthread_create(&thread, 0, use, local);
    pthread_mutex_lock(&mutex);
    local[0]++;
    pthread_mutex_unlock(&mutex);
}

int main(void)
{
    start(1);
    pthread_join(thread, 0);
    return 0;
}
