// expect: bug out-of-bounds options: --reuse
// The byte behind a block that is given out again.
#include <pthread.h>
#include <stdlib.h>

static void *work(void *argument)
{
    for (int i = 0; i < 2; i++) {
        char *p = malloc(13);
        for (int k = 0; k < 13 + i; k++)
            p[k] = 1;
        free(p);
    }
    return argument;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL);
    return 0;
}
