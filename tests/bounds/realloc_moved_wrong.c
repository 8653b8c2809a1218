// expect: bug use-after-free
// The pointer is taken under the lock once and kept; the table may have moved.
#include <pthread.h>
#include <stdlib.h>

static int *table;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *grow(void *argument)
{
    pthread_mutex_lock(&mutex);
    table = realloc(table, 4000 * sizeof *table);
    pthread_mutex_unlock(&mutex);
    return argument;
}

int main(void)
{
    pthread_t thread;
    table = calloc(4, sizeof *table);
    pthread_create(&thread, NULL, grow, NULL);
    pthread_mutex_lock(&mutex);
    int *kept = table;
    pthread_mutex_unlock(&mutex);
    pthread_mutex_lock(&mutex);
    kept[1] = 1;
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    free(table);
    return 0;
}
