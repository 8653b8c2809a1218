// expect: verified reach=7
// Robust mutexes: the next to lock one whose holder has ended is told so.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>

#include "reach.h"

static pthread_mutex_t repaired, given_up;
static int half; // 1 while what `repaired` protects is half done

static void *dies(void *unused)
{
    int answer = pthread_mutex_lock(&repaired);
    assert(answer == 0 || answer == EOWNERDEAD);
    if (answer) {
        REACHED(1);
        assert(half);
        assert(pthread_mutex_consistent(&repaired) == 0);
        assert(pthread_mutex_consistent(&repaired) == EINVAL);
    }
    half = 1;
    return unused; // and never lets go
}

static void *gives_up(void *unused)
{
    int answer = pthread_mutex_lock(&given_up);
    assert(answer == 0 || answer == EOWNERDEAD || answer == ENOTRECOVERABLE);
    if (answer == ENOTRECOVERABLE) {
        REACHED(2);
    } else if (answer) {
        REACHED(3);
        pthread_mutex_unlock(&given_up); // as it is: nobody can have it from now on
    } else {
        pthread_exit(unused);
    }
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t t[4];
    pthread_mutexattr_t a;
    begin(argc, argv);
    pthread_mutexattr_init(&a);
    pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&repaired, &a);
    pthread_mutex_init(&given_up, &a);
    assert(pthread_mutex_consistent(&repaired) == EINVAL);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, dies, NULL);
    int answer = pthread_mutex_trylock(&repaired);
    if (answer == EBUSY)
        REACHED(4);
    else if (answer == EOWNERDEAD)
        REACHED(5);
    else
        REACHED(6);
    if (answer == EOWNERDEAD)
        pthread_mutex_consistent(&repaired);
    if (answer != EBUSY)
        pthread_mutex_unlock(&repaired);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    if (answer != EOWNERDEAD) { // otherwise it may have been after both
        assert(pthread_mutex_lock(&repaired) == EOWNERDEAD);
        assert(pthread_mutex_consistent(&repaired) == 0 && pthread_mutex_unlock(&repaired) == 0);
    }
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, gives_up, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    assert(pthread_mutex_lock(&given_up) == ENOTRECOVERABLE);
    REACHED(7);
    return 0;
}
