// Two threads that allocate twice each, and do nothing else.
#include <pthread.h>
#include <stdlib.h>

static void *allocates(void *unused)
{
    void *first = malloc(1), *second = malloc(2);
    free(first);
    free(second);
    return unused;
}

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, allocates, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
