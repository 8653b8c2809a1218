// liburcu's lock-free stack, its static functions. Two threads pop; one of them pops twice and gives the first node back.
// WRONG: they pop without the mutex that the stack asks for, so a node can be taken twice (ABA).
#define _LGPL_SOURCE
#include <assert.h>
#include <pthread.h>
#include <urcu/lfstack.h>

static struct cds_lfs_stack stack;
static struct item {
    struct cds_lfs_node node;
    int taken;
} items[2];

static struct item *take(void)
{
#ifdef WRONG
    struct cds_lfs_node *node = ___cds_lfs_pop(&stack);
#else
    struct cds_lfs_node *node = _cds_lfs_pop_blocking(&stack);
#endif
    return node ? caa_container_of(node, struct item, node) : NULL;
}

static void *take_one(void *unused)
{
    struct item *item = take();
    if (item)
        __atomic_fetch_add(&item->taken, 1, __ATOMIC_RELAXED);
    return unused;
}

static void *take_two(void *unused)
{
    struct item *first = take(), *second = take();
    if (first)
        _cds_lfs_push(&stack, &first->node);
    if (second)
        __atomic_fetch_add(&second->taken, 1, __ATOMIC_RELAXED);
    return unused;
}

int main(void)
{
    pthread_t one, two;
    _cds_lfs_init(&stack);
    for (int i = 0; i < 2; i++)
        _cds_lfs_push(&stack, &items[i].node);
    pthread_create(&one, NULL, take_one, NULL);
    pthread_create(&two, NULL, take_two, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    for (struct item *item; (item = take());)
        item->taken++;
    assert(items[0].taken <= 1 && items[1].taken <= 1);
}
