// A race on memory that was cut from a slab, and (-DSTACK) one on a variable of another thread's stack. Where in the slab
// it is (-DMORE) and which thread it is are no part of what the bug is called.
#include <pthread.h>
#include <stdlib.h>

static char *slab;
static int used;
static int *shared;

static void *cut(int bytes)
{
    void *piece = slab + used;
    used += bytes;
    return piece;
}

static void *work(void *unused)
{
    (void)unused;
    (*shared)++;
    return NULL;
}

static void *share_own(void *unused)
{
    (void)unused;
    pthread_t t[2];
    int own = 0;
    shared = &own;
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return NULL;
}

static void *nothing(void *unused)
{
    return unused;
}

int main(void)
{
    pthread_t t;
    slab = calloc(1, 4096);
#ifdef MORE
    cut(64);
    pthread_create(&t, NULL, nothing, NULL);
    pthread_join(t, NULL);
#else
    (void)nothing;
#endif
#ifdef STACK
    pthread_create(&t, NULL, share_own, NULL);
    pthread_join(t, NULL);
#else
    shared = cut(16);
    pthread_create(&t, NULL, work, NULL);
    work(NULL);
    pthread_join(t, NULL);
    (void)share_own;
#endif
    return 0;
}
