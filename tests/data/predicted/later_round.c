// expect: atomicity benign, atomicity harmful
// What another thread does between looking and setting goes wrong in later rounds only: in the first one nothing is there yet.
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

enum { ROUNDS = 4 };

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int level;

static int look(void)
{
    pthread_mutex_lock(&m);
    int seen = level;
    pthread_mutex_unlock(&m);
    return seen;
}

static void *rise(void *unused)
{
    for (int i = 0; i < ROUNDS; i++) {
        int seen = look();
        pthread_mutex_lock(&m);
        if (level != seen && seen)
            abort();
        level = seen + 1;
        pthread_mutex_unlock(&m);
    }
    return unused;
}

static void *jump(void *unused)
{
    usleep(20000);
    pthread_mutex_lock(&m);
    level = 10;
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, rise, NULL);
    pthread_create(&two, NULL, jump, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
