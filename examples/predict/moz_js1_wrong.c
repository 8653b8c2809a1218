// Mozilla, the property cache of its JavaScript engine: a flag says whether the table is empty, and each of the two is set in a
// section of its own. A flush between the two halves of a fill leaves an empty table that is said to have something in it.
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int property = 7;
static struct {
    int *table;
    int empty;
} cache = {NULL, 1};

static void *fill(void *unused)
{
    pthread_mutex_lock(&lock);
    cache.table = &property;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    cache.empty = 0;
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *flush(void *unused)
{
    pthread_mutex_lock(&lock);
    cache.table = NULL;
    cache.empty = 1;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, fill, NULL);
    pthread_create(&b, NULL, flush, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return !cache.empty && *cache.table != 7;
}
