// What one thread allocates another frees, unmaps or moves, without being ordered after the last use of it: a race, and what
// it leads to is a use of memory that is gone. With -DORDERED the first use comes before the pointer is handed over.
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int *shared;

static int *make(void)
{
#ifdef MAPPED
    return mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
#else
    return malloc(64);
#endif
}

static void unmake(int *block)
{
#ifdef MAPPED
    munmap(block, 4096);
#elif defined MOVED
    free(realloc(block, 1 << 16));
#else
    free(block);
#endif
}

static void *give(void *nothing)
{
    int *block = make();
#ifdef ORDERED
    block[3] = 1;
#endif
    pthread_mutex_lock(&mutex);
    shared = block;
    pthread_mutex_unlock(&mutex);
#ifndef ORDERED
    block[3] = 1;
#endif
    return nothing;
}

static void *take(void *nothing)
{
    pthread_mutex_lock(&mutex);
    int *block = shared;
    pthread_mutex_unlock(&mutex);
    if (block)
        unmake(block);
    return nothing;
}

int main(void)
{
    pthread_t giver, taker;
    pthread_create(&giver, 0, give, 0);
    pthread_create(&taker, 0, take, 0);
    pthread_join(giver, 0);
    pthread_join(taker, 0);
    return 0;
}
