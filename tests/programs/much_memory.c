// expect: incomplete
// Natively this never fails, since what was freed is given out again. Heddle has no more to give, and says so.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 200, SIZE = 64 << 10 };

static void *work(void *unused)
{
    for (int i = 0; i < ROUNDS; i++) {
        char *block = malloc(SIZE);
        memset(block, i, SIZE);
        free(block);
    }
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
}
