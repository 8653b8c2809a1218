// A sorted list as a set that is walked without locks; two nodes are locked and looked at again before it is changed (the
// seed's OptimisticListSortedSetWaitFreeContains, written anew, with marks as in Heller's lazy list).
// ADD, REMOVE: they are looked at again before they are locked.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include <heddle/lin.h>

#ifndef ADD
#define ADD 0
#endif
#ifndef REMOVE
#define REMOVE 0
#endif

struct node {
    int64_t key;
    _Atomic(struct node *) next;
    atomic_int removed;
    pthread_mutex_t lock;
};

static struct node *new_node(int64_t key, struct node *next)
{
    struct node *n = calloc(1, sizeof *n);
    n->key = key;
    atomic_init(&n->next, next);
    pthread_mutex_init(&n->lock, NULL);
    return n;
}

static void *create(void)
{
    return new_node(INT64_MIN, new_node(INT64_MAX, NULL));
}

static struct node *walk(struct node *before, int64_t key, struct node **at)
{
    for (*at = atomic_load(&before->next); (*at)->key < key; *at = atomic_load(&before->next))
        before = *at;
    return before;
}

static void lock(struct node *before, struct node *at)
{
    pthread_mutex_lock(&before->lock);
    pthread_mutex_lock(&at->lock);
}

static void unlock(struct node *before, struct node *at)
{
    pthread_mutex_unlock(&at->lock);
    pthread_mutex_unlock(&before->lock);
}

static int is_valid(struct node *before, struct node *at)
{
    return !atomic_load(&before->removed) && !atomic_load(&at->removed) && atomic_load(&before->next) == at;
}

static int64_t truth(int yes)
{
    return yes ? HEDDLE_TRUE : HEDDLE_FALSE;
}

static int64_t add(void *object, const int64_t *argument)
{
    struct node *at, *before;
    int valid, absent;
    do {
        before = walk(object, argument[0], &at);
        if (!ADD)
            lock(before, at); // add begins
        valid = is_valid(before, at);
        if (ADD)
            lock(before, at);
        absent = at->key != argument[0];
        if (valid && absent)
            atomic_store(&before->next, new_node(argument[0], at));
        unlock(before, at); // add ends
    } while (!valid);
    return truth(absent);
}

static int64_t remove_key(void *object, const int64_t *argument)
{
    struct node *at, *before;
    int valid, present;
    do {
        before = walk(object, argument[0], &at);
        if (!REMOVE)
            lock(before, at); // remove begins
        valid = is_valid(before, at);
        if (REMOVE)
            lock(before, at);
        present = at->key == argument[0];
        if (valid && present) {
            atomic_store(&at->removed, 1);
            atomic_store(&before->next, atomic_load(&at->next));
        }
        unlock(before, at); // remove ends
    } while (!valid);
    return truth(present);
}

heddle_lin(.create = create, .operations = {{"a", add, {HEDDLE_RANGE(0, 1)}}, {"r", remove_key, {HEDDLE_RANGE(0, 1)}}});
