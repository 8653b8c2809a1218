// expect: verified executions=6 options: --fault malloc:1 --strategy optimal
// Two threads in either order, and in each order none, the first or the second finds no memory: six executions.
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *slots[2];

static void *add(void *number)
{
    pthread_mutex_lock(&lock);
    int *slot = malloc(sizeof *slot);
    if (!slot) {
        pthread_mutex_unlock(&lock);
        return NULL;
    }
    slots[(long)number] = slot;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, add, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    for (int i = 0; i < 2; i++)
        free(slots[i]);
    return 0;
}
