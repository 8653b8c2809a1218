// expect: verified reach=3
// C++: destructors run when a thread is cancelled or leaves; so do handlers that catch and throw on.
#include <cxxabi.h>
#include <pthread.h>
#include <semaphore.h>

#include "reach.h"

static int destroyed, caught;
static sem_t never;

struct guard {
    ~guard() { destroyed++; }
};

static void *leaves(void *value)
{
    guard outer;
    try {
        guard inner;
        pthread_exit(value);
    } catch (abi::__forced_unwind &) {
        caught++;
        assert(destroyed == 1);
        throw;
    }
}

static void clean(void *value)
{
    ++*static_cast<int *>(value);
}

static void *waits(void *value)
{
    guard own;
    pthread_cleanup_push(clean, value);
    sem_wait(&never);
    REACHED(1);
    pthread_cleanup_pop(0);
    return value;
}

int main(int argc, char **argv)
{
    pthread_t t;
    void *value;
    int cleaned = 0;
    begin(argc, argv);
    sem_init(&never, 0, 0);
    pthread_create(&t, nullptr, leaves, &cleaned);
    pthread_join(t, &value);
    assert(value == &cleaned && destroyed == 2 && caught == 1);
    pthread_create(&t, nullptr, waits, &cleaned);
    pthread_cancel(t);
    sem_post(&never);
    pthread_join(t, &value);
    assert(destroyed == 3);
    if (value == PTHREAD_CANCELED) {
        assert(cleaned == 1);
        REACHED(2);
    } else {
        assert(cleaned == 0);
        REACHED(3);
    }
    return 0;
}
