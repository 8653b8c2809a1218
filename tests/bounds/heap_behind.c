// expect: verified
// The index is checked in the section that raises it.
#include <pthread.h>
#include <stdlib.h>

static char *buffer;
static int used;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *put(void *argument)
{
    pthread_mutex_lock(&mutex);
    if (used < 3)
        buffer[used++] = 1;
    pthread_mutex_unlock(&mutex);
    return argument;
}

int main(void)
{
    pthread_t thread[2];
    buffer = malloc(3);
    used = 2;
    for (int i = 0; i < 2; i++)
        pthread_create(&thread[i], NULL, put, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
    free(buffer);
    return 0;
}
