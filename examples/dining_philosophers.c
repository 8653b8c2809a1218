// Three philosophers around a table, a fork between each two. Each takes the fork with the lower number first.
//
// WRONG lets each take the left fork first: when all have done so, nobody gets a second one.
//
// heddle check examples/dining_philosophers.c        verified, 6 executions (each fork may go to either neighbour
//                                                    first, but not all three round the table in one direction)
// heddle check examples/dining_philosophers_wrong.c  bug: deadlock
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

enum { PHILOSOPHERS = 3 };

static pthread_mutex_t fork_lock[PHILOSOPHERS];
static int uses[PHILOSOPHERS]; // of each fork; protected by it

static void *philosopher(void *seat)
{
    int left = (int)(intptr_t)seat, right = (left + 1) % PHILOSOPHERS;
    int first = left, second = right;
#ifndef WRONG
    if (first > second) {
        first = right;
        second = left;
    }
#endif
    pthread_mutex_lock(&fork_lock[first]);
    pthread_mutex_lock(&fork_lock[second]);
    uses[first]++;
    uses[second]++;
    pthread_mutex_unlock(&fork_lock[second]);
    pthread_mutex_unlock(&fork_lock[first]);
    return NULL;
}

int main(void)
{
    pthread_t thread[PHILOSOPHERS];
    for (int i = 0; i < PHILOSOPHERS; i++)
        pthread_mutex_init(&fork_lock[i], NULL);
    for (int i = 0; i < PHILOSOPHERS; i++)
        pthread_create(&thread[i], NULL, philosopher, (void *)(intptr_t)i);
    for (int i = 0; i < PHILOSOPHERS; i++)
        pthread_join(thread[i], NULL);
    for (int i = 0; i < PHILOSOPHERS; i++) {
        assert(uses[i] == 2);
        pthread_mutex_destroy(&fork_lock[i]);
    }
    return 0;
}
