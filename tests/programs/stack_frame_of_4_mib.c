// expect: verified executions=4
// A frame of 4 MiB fits into the 8 MiB that the system gives a thread.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static atomic_int count;

static void *thread(void *argument)
{
    char large[4 << 20];
    memset(large, 1, sizeof large);
    count++;
    int now = count;
    assert(large[now] == 1 && large[sizeof large - 1] == 1);
    return argument;
}

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, thread, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
}
