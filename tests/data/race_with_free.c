// The second access of the race is a free.
#include <pthread.h>
#include <stdlib.h>

struct node {
    int value;
};

static void *writer(void *node)
{
    ((struct node *)node)->value = 1;
    return NULL;
}

static void *releaser(void *node)
{
    free(node);
    return NULL;
}

int main(void)
{
    pthread_t first, second;
    struct node *node = calloc(1, sizeof *node);
    pthread_create(&first, NULL, writer, node);
    pthread_create(&second, NULL, releaser, node);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
