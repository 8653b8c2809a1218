// expect: verified reach=4
// sem_open, sem_close, sem_unlink inside one process.
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <unistd.h>

#include "reach.h"

static char name[64];
static int data;

// Whoever comes first makes it.
static void *first_or_second(void *value)
{
    sem_t *s = sem_open(name, O_CREAT | O_EXCL, 0600, 0);
    if (s != SEM_FAILED) {
        if (value)
            REACHED(1);
        else
            REACHED(2);
        data = 1;
        sem_post(s);
        return NULL;
    }
    assert(errno == EEXIST);
    s = sem_open(name, 0);
    assert(s != SEM_FAILED);
    if (sem_trywait(s)) {
        REACHED(3);
        sem_wait(s);
    }
    assert(data == 1);
    assert(sem_close(s) == 0);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t a, b;
    sem_t *s, *again;
    int count;
    begin(argc, argv);
    snprintf(name, sizeof name, "/heddle-test-%d", (int)getpid());
    assert(sem_open(name, 0) == SEM_FAILED && errno == ENOENT);
    assert(sem_open("/a/b", O_CREAT, 0600, 0) == SEM_FAILED && errno == EINVAL);
    assert(sem_unlink(name) == -1 && errno == ENOENT);
    pthread_create(&a, NULL, first_or_second, NULL);
    pthread_create(&b, NULL, first_or_second, &data);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    s = sem_open(name, O_CREAT, 0600, 7);
    assert(s != SEM_FAILED && sem_getvalue(s, &count) == 0 && count == 0); // it was there
    assert(sem_unlink(name) == 0);
    assert(sem_post(s) == 0); // usable until it is closed
    again = sem_open(name, O_CREAT | O_EXCL, 0600, 7);
    assert(again != SEM_FAILED && again != s && sem_getvalue(again, &count) == 0 && count == 7);
    assert(sem_close(again) == 0 && sem_close(s) == 0 && sem_unlink(name) == 0);
    REACHED(4);
    return 0;
}
