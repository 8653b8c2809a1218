// Workers that are alike send a pointer, to their own memory or to their element, and main tells the last one from the others by it: it
// must not be the first to come by. RIGHT: it may, and is told apart all the same.
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

enum { THREADS = 3 };

struct item {
    long number, unused;
};

static int ends[2];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int done, told;
static struct item *chosen;

static void *work(void *argument)
{
#ifdef SENT
    long own = 0, *at = &own;
    if (write(ends[1], &at, sizeof at) != sizeof at)
        return NULL;
#endif
    pthread_mutex_lock(&lock);
    int place = done++;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
#ifdef RIGHT
    assert(place < THREADS);
#elif defined SENT
    assert(!(own && place == 0));
#else
    assert(!(told && chosen == argument && place == 0));
#endif
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void)
{
    static struct item items[THREADS];
    pthread_t thread[THREADS];
    long *last = NULL;
    if (pipe(ends))
        return 1;
    for (int i = 0; i < THREADS; i++)
        pthread_create(&thread[i], NULL, work, &items[i]);
#ifdef SENT
    for (int i = 0; i < THREADS; i++)
        if (read(ends[0], &last, sizeof last) != sizeof last)
            return 1;
#endif
    pthread_mutex_lock(&lock);
    if (last)
        *last = 1;
    else
        chosen = &items[THREADS - 1];
    told = 1;
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
