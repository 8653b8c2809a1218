// Blocks that an allocator of the program's own gives out: behind a header, or cut from a pool. Reports call what the program
// uses by its type, not by the allocator's.
#include <pthread.h>
#include <stdlib.h>

struct header {
    struct header *next;
    size_t size;
};

struct node {
    int key;
    struct node *left;
};

struct pool {
    struct pool *next;
    size_t used;
    char bytes[480];
};

static struct header *all;
static struct pool *pools;
static struct node *shared;

static void *take(size_t size)
{
#ifdef POOL
    if (!pools)
        pools = calloc(1, sizeof *pools);
    void *piece = pools->bytes + pools->used;
    pools->used += (size + 15) / 16 * 16;
    return piece;
#else
    struct header *h = calloc(1, sizeof *h + size);
    h->size = size;
    h->next = all;
    all = h;
    return h + 1;
#endif
}

static void *work(void *unused)
{
    (void)unused;
    shared->key++;
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    take(32);
    shared = take(sizeof *shared);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    (void)pools;
    (void)all;
    return 0;
}
