// expect: bug out-of-bounds
// Who comes second writes behind the end of the buffer: the index is checked before it is raised.
#include <pthread.h>
#include <stdlib.h>

static char *buffer;
static int used;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *put(void *argument)
{
    pthread_mutex_lock(&mutex);
    int room = used < 3;
    pthread_mutex_unlock(&mutex);
    if (room) {
        pthread_mutex_lock(&mutex);
        buffer[used++] = 1;
        pthread_mutex_unlock(&mutex);
    }
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
