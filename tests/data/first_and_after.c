// In some runs the assertion of `late` fails after that of `early`, which has taken the lock before it; in others it is the
// first to fail. (-DONLY_AFTER: it is not.)
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int turns, early_done;

static void *early(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&m);
    early_done = 1;
    turns++;
    int mine = turns;
    pthread_mutex_unlock(&m);
    assert(mine == 3);
    return NULL;
}

static void *late(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&m);
    turns++;
#ifdef ONLY_AFTER
    int bad = early_done;
#else
    int bad = turns > 0;
#endif
    pthread_mutex_unlock(&m);
    assert(!bad);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, early, NULL);
    pthread_create(&b, NULL, late, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
