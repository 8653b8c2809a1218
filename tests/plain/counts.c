// expect: incomplete executions=20
// What counts the rounds is in memory that heddle does not see change; the threads must not be taken for spinning ones.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int rounds[2], sum;

static void *count(void *round)
{
    while (*(volatile int *)round < 3) {
        pthread_mutex_lock(&mutex);
        sum++;
        ++*(volatile int *)round;
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, count, &rounds[1]);
    count(&rounds[0]);
    pthread_join(thread, NULL);
    assert(sum == 6);
    return 0;
}
