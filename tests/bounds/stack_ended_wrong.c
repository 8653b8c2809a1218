// expect: bug use-after-return
// The thread's buffer goes with the thread.
#include <pthread.h>
#include <stddef.h>

static int *result;

static void *work(void *argument)
{
    int sum[4] = {1, 2, 3, 4};
    result = sum;
    return argument;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    return result[2] == 1000;
}
