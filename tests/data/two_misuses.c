// One function lets go of two mutexes that nobody holds, another frees two blocks twice: to suppress the one hides neither the
// other nor what comes after.
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t known = PTHREAD_MUTEX_INITIALIZER, fresh = PTHREAD_MUTEX_INITIALIZER;

static void let_go(pthread_mutex_t *m)
{
    pthread_mutex_unlock(m);
}

static void give_back(void *block)
{
    free(block);
}

static void frees_twice(void)
{
    void *block = malloc(8);
    give_back(block);
    give_back(block);
}

static void frees_as_well(void)
{
    void *block = malloc(8);
    give_back(block);
#ifdef NEW_BLOCK
    give_back(block);
#endif
}

static void *work(void *argument)
{
    let_go(&known);
    frees_twice();
    frees_as_well();
#ifdef NEW
    let_go(&fresh);
#else
    pthread_mutex_lock(&fresh);
    let_go(&fresh);
#endif
    return argument;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
