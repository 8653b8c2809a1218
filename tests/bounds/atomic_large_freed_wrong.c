// expect: bug use-after-free
// An atomic object that only a library can access, in freed memory.
#include <pthread.h>
#include <stdlib.h>

struct large {
    long words[5];
};

static _Atomic struct large *shared;

static void *look(void *unused)
{
    struct large copy = *shared;
    return copy.words[0] ? unused : 0;
}

int main(void)
{
    pthread_t thread;
    shared = malloc(sizeof *shared);
    *shared = (struct large){{0}};
    pthread_create(&thread, 0, look, 0);
    pthread_join(thread, 0);
    free((void *)shared);
    struct large copy = *shared;
    return copy.words[0] == 77;
}
