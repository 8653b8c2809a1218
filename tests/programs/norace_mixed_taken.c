// expect: verified executions=3
// A word is read plainly by who hands it over, and taken by an atomic operation that acquires what came before: nothing else
// orders the two, and nothing has to. (liburcu's waiters do this.)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

enum { WAITING, GIVEN, TAKEN };

static _Atomic int state;

static void *giver(void *unused)
{
    assert(*(int *)&state == WAITING); // nobody else changes it before this thread has let go of it
    atomic_store(&state, GIVEN);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, giver, NULL);
    int expected = GIVEN;
    if (!atomic_compare_exchange_strong(&state, &expected, TAKEN))
        atomic_load(&state);
    pthread_join(thread, NULL);
    return 0;
}
