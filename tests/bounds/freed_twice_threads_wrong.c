// expect: bug double-free
// The last of two threads frees the block: both may take themselves for the last.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static char *shared;
static atomic_int users = 2;

static void *use(void *argument)
{
    atomic_fetch_sub(&users, 1);
    if (atomic_load(&users) == 0)
        free(shared);
    return argument;
}

int main(void)
{
    pthread_t thread[2];
    shared = calloc(8, 1);
    for (int i = 0; i < 2; i++)
        pthread_create(&thread[i], NULL, use, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
