// expect: verified
// The handler is there before anybody raises the signal, and changes only to another one.
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <assert.h>

static atomic_int first, second;

static void handle_first(int number)
{
    (void)number;
    first++;
}

static void handle_second(int number)
{
    (void)number;
    second++;
}

static void *change(void *unused)
{
    assert(signal(SIGUSR1, handle_second) == handle_first);
    return unused;
}

int main(void)
{
    pthread_t changer;
    signal(SIGUSR1, handle_first);
    pthread_create(&changer, NULL, change, NULL);
    raise(SIGUSR1);
    pthread_join(changer, NULL);
    raise(SIGUSR1);
    assert(first + second == 2 && second >= 1);
}
