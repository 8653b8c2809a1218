// expect: verified
// The index is checked against the size that belongs to the table.
#include <pthread.h>
#include <stdlib.h>

static char *table;
static int size = 5;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *shrink(void *argument)
{
    pthread_mutex_lock(&mutex);
    size = 3;
    table = realloc(table, 3);
    pthread_mutex_unlock(&mutex);
    return argument;
}

int main(void)
{
    pthread_t thread;
    table = calloc(5, 1);
    pthread_create(&thread, NULL, shrink, NULL);
    pthread_mutex_lock(&mutex);
    int last = size - 1;
    table[last] = 1;
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    free(table);
    return 0;
}
