// Memory that is given back by epochs: a reader announces the epoch it saw, and an item may be given back when every reader
// that is inside has announced the epoch of now, twice in a row. A reader that was interrupted between looking at the epoch
// and announcing it is not waited for, and finds its item gone: two advances have to come in between.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef READERS
#define READERS 4
#endif
enum { OUTSIDE = -1 };

static atomic_int epoch, announced[READERS], shared, gone[2];

static void *reader(void *number)
{
    atomic_int *mine = number;
    for (int i = 0; i < 2; i++) {
        int now = atomic_load(&epoch);
        int item = atomic_load(&shared);
        atomic_store(mine, now);
        assert(!atomic_load(&gone[item]));
        atomic_store(mine, OUTSIDE);
    }
    return NULL;
}

static int try_advance(void)
{
    int now = atomic_load(&epoch);
    for (int i = 0; i < READERS; i++) {
        int seen = atomic_load(&announced[i]);
        if (seen != OUTSIDE && seen != now)
            return 0;
    }
    atomic_store(&epoch, now + 1);
    return 1;
}

static void *writer(void *unused)
{
    int advances = 0;
    atomic_store(&shared, 1);
    for (int i = 0; i < 4 && advances < 2; i++)
        advances += try_advance();
    if (advances == 2)
        atomic_store(&gone[0], 1);
    return unused;
}

int main(void)
{
    pthread_t thread[READERS + 1];
    for (int i = 0; i < READERS; i++)
        atomic_init(&announced[i], OUTSIDE);
    for (int i = 0; i < READERS; i++)
        pthread_create(&thread[i], NULL, reader, &announced[i]);
    pthread_create(&thread[READERS], NULL, writer, NULL);
    for (int i = 0; i <= READERS; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
