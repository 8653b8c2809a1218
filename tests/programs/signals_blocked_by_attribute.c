// expect: verified
// A new thread blocks what its attributes say, not what its creator blocks.
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>

static sigset_t one;

static void *take(void *unused)
{
    int number;
    sigwait(&one, &number);
    return unused;
}

int main(void)
{
    pthread_t taker;
    pthread_attr_t attributes;
    sigemptyset(&one);
    sigaddset(&one, SIGUSR1);
    pthread_attr_init(&attributes);
#ifndef WRONG
    pthread_attr_setsigmask_np(&attributes, &one);
#endif
    pthread_create(&taker, &attributes, take, NULL);
    pthread_kill(taker, SIGUSR1);
    pthread_join(taker, NULL);
    pthread_attr_destroy(&attributes);
}
