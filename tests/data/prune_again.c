// A value that was read under one lock decides whether the same place is read once more, under another lock (RIGHT: under the same).
// Only where the second thread comes first it is, and races with the first thread's write.
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static int x, y;

static void *first(void *none)
{
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
    return none;
}

static void *second(void *none)
{
    int unused = 0;
    pthread_mutex_lock(&m);
    int value = x;
#ifndef RIGHT
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&n);
#endif
    value += y;
    if (value == 0) {
        if (x < 0)
            unused = 1;
    }
    (void)unused;
#ifndef RIGHT
    pthread_mutex_unlock(&n);
#else
    pthread_mutex_unlock(&m);
#endif
    return none;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
