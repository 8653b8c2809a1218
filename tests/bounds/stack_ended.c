// expect: verified
// What a thread leaves behind is in static memory.
#include <pthread.h>
#include <stddef.h>

static int *result;

static void *work(void *argument)
{
    static int sum[4] = {1, 2, 3, 4};
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
