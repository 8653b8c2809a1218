// expect: verified
// Thirteen threads put numbers into a table of hashes; the buckets of the last ones meet.
#include <assert.h>
#include <pthread.h>

enum { SIZE = 128, MOST = 4, THREADS = 13 };

static int table[SIZE];
static pthread_mutex_t locks[SIZE];

static int compare_and_set(int at, int old, int new)
{
    int done = 0;
    pthread_mutex_lock(&locks[at]);
    if (table[at] == old) {
        table[at] = new;
        done = 1;
    }
    pthread_mutex_unlock(&locks[at]);
    return done;
}

static void *index_of(void *number)
{
    int id = (int)(long)number;
    for (int n = 0; n < MOST; n++) {
        int value = (n + 1) * 11 + id, at = value * 7 % SIZE;
        while (!compare_and_set(at, 0, value))
            at = (at + 1) % SIZE;
    }
    return 0;
}

int main(void)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < SIZE; i++)
        pthread_mutex_init(&locks[i], 0);
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, index_of, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    int filled = 0;
    for (int i = 0; i < SIZE; i++)
        filled += table[i] != 0;
    assert(filled == THREADS * MOST);
    return 0;
}
