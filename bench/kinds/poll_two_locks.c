// expect: verified
// Threads that need two locks try the second one, and begin anew if it is taken.
#include <assert.h>
#include <pthread.h>

enum { THREADS = 3 };

static pthread_mutex_t locks[THREADS];
static int moved;

static void *move(void *number)
{
    int me = (int)(long)number, next = (me + 1) % THREADS;
    for (;;) {
        pthread_mutex_lock(&locks[me]);
        if (!pthread_mutex_trylock(&locks[next]))
            break;
        pthread_mutex_unlock(&locks[me]);
    }
    __atomic_fetch_add(&moved, 1, __ATOMIC_SEQ_CST);
    pthread_mutex_unlock(&locks[next]);
    pthread_mutex_unlock(&locks[me]);
    return 0;
}

int main(void)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_mutex_init(&locks[i], 0);
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, move, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    assert(moved == THREADS);
    return 0;
}
