// mimalloc: blocks that other threads free than the one that allocated them, and threads that allocate beside one another.
#include <heddle/heddle.h>
#include <mimalloc.h>
#include <pthread.h>
#include <string.h>

enum { SIZE = 40 };

static void *frees(void *block)
{
    mi_free(block);
    return NULL;
}

static void *allocates(void *byte)
{
    char *block = mi_malloc(SIZE);
    memset(block, *(char *)byte, SIZE);
    for (int i = 0; i < SIZE; i++)
        heddle_assert(block[i] == *(char *)byte);
    mi_free(block);
    return NULL;
}

static bool add_used(const mi_heap_t *heap, const mi_heap_area_t *area, void *block, size_t size, void *used)
{
    (void)heap, (void)block, (void)size;
    *(size_t *)used += area->used;
    return true;
}

static size_t blocks_in_use(void)
{
    size_t used = 0;
    mi_collect(false);
    mi_heap_visit_blocks(mi_heap_get_default(), false, add_used, &used);
    return used;
}

heddle_test("two threads free what a third allocated")
{
    pthread_t t[2];
    void *block[3] = {mi_malloc(SIZE), mi_malloc(SIZE), mi_malloc(SIZE)};
    heddle_assert(block[0] != block[1] && block[0] != block[2] && block[1] != block[2]);
    size_t before = blocks_in_use();
    pthread_create(&t[0], NULL, frees, block[2]); // the first time is another path
    pthread_join(t[0], NULL);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, frees, block[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    heddle_assert(before - blocks_in_use() == 3);
}

heddle_test("two threads free the first blocks of a page")
{
    pthread_t t[2];
    void *block[2] = {mi_malloc(SIZE), mi_malloc(SIZE)};
    size_t before = blocks_in_use();
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, frees, block[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    heddle_assert(before - blocks_in_use() == 2);
}

heddle_test("one frees while the other allocates")
{
    pthread_t t;
    char *first = mi_malloc(SIZE);
    pthread_create(&t, NULL, frees, first);
    char *second = mi_malloc(SIZE);
    char *third = mi_malloc(SIZE);
    heddle_assert(second != third);
    memset(second, 1, SIZE);
    memset(third, 2, SIZE);
    mi_free(third);
    for (int i = 0; i < SIZE; i++)
        heddle_assert(second[i] == 1);
    pthread_join(t, NULL);
    mi_free(second);
}

heddle_test("two threads allocate")
{
    static char byte[2] = {1, 2};
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, allocates, &byte[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
}
