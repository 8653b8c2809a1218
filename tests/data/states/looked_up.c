// Workers look up prices in a table that main has filled in before it creates them, add them up under a lock, and say how far they are.
// Nobody can race with a read there, so states need not tell which worker knows of whose reads. LATE: whoever is the last to add
// something writes there, while others may still look: a race.
#include <pthread.h>
#include <stdatomic.h>

#ifndef WORKERS
#define WORKERS 4
#endif
enum { ROUNDS = 2 };

static struct part {
    int first, last;
    _Atomic int done;
} part[WORKERS];
static int price[2 * WORKERS * ROUNDS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum, added;

static void *work(void *argument)
{
    struct part *own = argument;
    for (int i = own->first; i < own->last; i++) {
        int found = price[i];
        own->done = 2 * i;
        pthread_mutex_lock(&lock);
        sum += found;
        int last = ++added == WORKERS * ROUNDS;
        pthread_mutex_unlock(&lock);
#ifdef LATE
        if (last)
            price[1] = 0;
#else
        (void)last;
#endif
        own->done = 2 * i + price[1];
    }
    return NULL;
}

int main(void)
{
    pthread_t thread[WORKERS];
    for (int i = 0; i < 2 * WORKERS * ROUNDS; i++)
        price[i] = 1;
    for (int i = 0; i < WORKERS; i++)
        part[i] = (struct part){i * ROUNDS, (i + 1) * ROUNDS, 0};
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&thread[i], NULL, work, &part[i]);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(thread[i], NULL);
    return sum != WORKERS * ROUNDS;
}
