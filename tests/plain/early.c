// expect: bug signal
// Writes through a pointer that the other thread may not have set yet.
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int *place;

static void *make_place(void *unused)
{
    pthread_mutex_lock(&mutex);
    place = malloc(sizeof *place);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, make_place, NULL);
    pthread_mutex_lock(&mutex);
    *place = 1;
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    free(place);
    return 0;
}
