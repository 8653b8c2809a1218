// Mozilla's property cache, corrected: table and flag are set in one section.
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
