// A race that does not show in memory. Depending on what the third thread did, the first one writes x before or after it sets
// the flag, and comes to the same state both times; only if it was after that is the second thread's write a race.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int early, flag, later;
static int x;

static void *first(void *unused)
{
    if (atomic_load(&early)) {
        x = 1;
        atomic_store(&flag, 1);
    } else {
        atomic_store(&flag, 1);
        x = 1;
    }
    atomic_store(&early, 1);
    atomic_load(&later);
    return unused;
}

static void *second(void *unused)
{
    if (!atomic_load(&flag))
        return unused;
    atomic_load(&later);
    x = 2;
    return unused;
}

static void *third(void *unused)
{
    atomic_store(&early, 1);
    return unused;
}

int main(void)
{
    pthread_t a, b, c;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_create(&c, NULL, third, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    return 0;
}
