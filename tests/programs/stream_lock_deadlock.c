// expect: bug deadlock
// Two streams, locked in different orders; the second by printing to it.
#include <pthread.h>
#include <stdio.h>

static void *one(void *none)
{
    flockfile(stdout);
    fputs("to the other\n", stderr);
    funlockfile(stdout);
    return none;
}

static void *other(void *none)
{
    flockfile(stderr);
    fputs("to the one\n", stdout);
    funlockfile(stderr);
    return none;
}

int main(void)
{
    pthread_t a, b;
    flockfile(stdout);
    funlockfile(stdout);
    flockfile(stderr);
    funlockfile(stderr);
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, other, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
