// expect: bug race
// Races on the last, incomplete word of a block are still seen.
#include <pthread.h>
#include <stdlib.h>

static char *p;

static void *set(void *argument)
{
    p[12] = 1;
    return argument;
}

int main(void)
{
    pthread_t thread[2];
    p = malloc(13);
    for (int i = 0; i < 2; i++)
        pthread_create(&thread[i], NULL, set, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
    free(p);
    return 0;
}
