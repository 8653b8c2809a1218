// Reads memory that was freed, which stops nobody, and then waits for ever.
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int *block;

static int misuse(void)
{
    free(block);
    return *block;
}

static void *work(void *argument)
{
    int seen = misuse();
    pthread_mutex_lock(&m);
    if (seen | 1)
        pthread_mutex_lock(&m);
    return argument;
}

int main(void)
{
    pthread_t t;
    block = calloc(1, sizeof *block);
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
