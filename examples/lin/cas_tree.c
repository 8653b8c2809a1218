// A binary search tree as a set, by compare-and-swap: a leaf's empty link is swapped for a new node; a key that is removed
// keeps its node, which says that it is absent.
//
// BUG=1: add stores the new node instead of swapping it in: another one in the same place is lost.
// BUG=2: remove looks and then stores: two calls can remove the same key.
// BUG=3: add looks whether the node of a key says that it is absent, and then stores: two calls can add the same key.
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#include <heddle/lin.h>

#ifndef BUG
#define BUG 0
#endif

struct node {
    int64_t key;
    atomic_bool present;
    _Atomic(struct node *) child[2]; // with smaller keys, with larger ones
};

typedef _Atomic(struct node *) link;

static void *create(void)
{
    return calloc(1, sizeof(link));
}

// The link in which the key's node is, or would be.
static link *find(link *at, int64_t key, struct node **found)
{
    while ((*found = atomic_load(at)) && (*found)->key != key)
        at = &(*found)->child[(*found)->key < key];
    return at;
}

static bool change(atomic_bool *present, bool to)
{
    bool from = !to;
    return atomic_compare_exchange_strong(present, &from, to);
}

static int64_t add(void *object, const int64_t *argument)
{
    struct node *fresh = calloc(1, sizeof *fresh), *at;
    fresh->key = argument[0];
    atomic_init(&fresh->present, true);
    for (;;) {
        link *place = find(object, argument[0], &at);
        if (at && BUG == 3) {
            bool was = atomic_load(&at->present);
            atomic_store(&at->present, true);
            return was ? HEDDLE_FALSE : HEDDLE_TRUE;
        }
        if (at)
            return change(&at->present, true) ? HEDDLE_TRUE : HEDDLE_FALSE;
#if BUG == 1
        atomic_store(place, fresh);
        return HEDDLE_TRUE;
#else
        if (atomic_compare_exchange_strong(place, &at, fresh))
            return HEDDLE_TRUE;
#endif
    }
}

static int64_t remove_key(void *object, const int64_t *argument)
{
    struct node *at;
    find(object, argument[0], &at);
    if (!at)
        return HEDDLE_FALSE;
#if BUG == 2
    if (!atomic_load(&at->present))
        return HEDDLE_FALSE;
    atomic_store(&at->present, false);
    return HEDDLE_TRUE;
#else
    return change(&at->present, false) ? HEDDLE_TRUE : HEDDLE_FALSE;
#endif
}

static int64_t contains(void *object, const int64_t *argument)
{
    struct node *at;
    find(object, argument[0], &at);
    return at && atomic_load(&at->present) ? HEDDLE_TRUE : HEDDLE_FALSE;
}

heddle_lin(.create = create, .destroy = free, .operations = {{"add", add, {HEDDLE_RANGE(1, 2)}},
                                                             {"remove", remove_key, {HEDDLE_RANGE(1, 2)}},
                                                             {"contains", contains, {HEDDLE_RANGE(1, 2)}}});
