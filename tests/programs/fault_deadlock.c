// expect: bug deadlock options: --fault malloc:1
// The way out for want of memory keeps the lock.
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *slots[2];

static void *add(void *number)
{
    pthread_mutex_lock(&lock);
    int *slot = malloc(sizeof *slot);
    if (!slot)
        return NULL;
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
