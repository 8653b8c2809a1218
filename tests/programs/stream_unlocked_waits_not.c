// expect: verified
// Calls whose names end in _unlocked do not wait for the stream, so a thread may use one while another has locked it.
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static sem_t printed;

static void *print(void *unused)
{
    putchar_unlocked('.');
    fileno_unlocked(stdin);
    fflush_unlocked(stdout);
    sem_post(&printed);
    return unused;
}

int main(void)
{
    pthread_t printer;
    sem_init(&printed, 0, 0);
    flockfile(stdout);
    pthread_create(&printer, NULL, print, NULL);
    sem_wait(&printed);
    funlockfile(stdout);
    pthread_join(printer, NULL);
}
