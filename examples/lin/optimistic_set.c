// A sorted list as a set (after Heller et al., "A Lazy Concurrent List-Based Set Algorithm"): add and remove walk without locks,
// lock the two nodes they need and look again whether these are still neighbours; contains takes no lock and never waits.
//
// BUG=1: add does not look again.
// BUG=2: remove does not look again.
// BUG=3: remove marks a node only after it has let the locks go.
// BUG=4: remove locks only the node in front of the one that goes.
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#include <heddle/lin.h>

#ifndef BUG
#define BUG 0
#endif

struct node {
    int64_t key;
    pthread_mutex_t lock;
    atomic_bool removed;
    _Atomic(struct node *) next;
};

static struct node *new_node(int64_t key, struct node *next)
{
    struct node *n = malloc(sizeof *n);
    n->key = key;
    pthread_mutex_init(&n->lock, NULL);
    atomic_init(&n->removed, false);
    atomic_init(&n->next, next);
    return n;
}

static void *create(void)
{
    return new_node(INT64_MIN, new_node(INT64_MAX, NULL)); // around all keys, never removed
}

static struct node *walk(struct node *before, int64_t key, struct node **found)
{
    for (;;) {
        struct node *at = atomic_load(&before->next);
        if (at->key >= key) {
            *found = at;
            return before;
        }
        before = at;
    }
}

static bool still_neighbours(struct node *before, struct node *at)
{
    return !atomic_load(&before->removed) && !atomic_load(&at->removed) && atomic_load(&before->next) == at;
}

static void unlock(struct node *before, struct node *at)
{
    if (at)
        pthread_mutex_unlock(&at->lock);
    pthread_mutex_unlock(&before->lock);
}

static int64_t add(void *object, const int64_t *argument)
{
    for (;;) {
        struct node *at, *before = walk(object, argument[0], &at);
        pthread_mutex_lock(&before->lock);
        pthread_mutex_lock(&at->lock);
        if (BUG == 1 || still_neighbours(before, at)) {
            bool absent = at->key != argument[0];
            if (absent)
                atomic_store(&before->next, new_node(argument[0], at));
            unlock(before, at);
            return absent ? HEDDLE_TRUE : HEDDLE_FALSE;
        }
        unlock(before, at);
    }
}

static int64_t remove_key(void *object, const int64_t *argument)
{
    for (;;) {
        struct node *at, *before = walk(object, argument[0], &at);
        pthread_mutex_lock(&before->lock);
        if (BUG != 4)
            pthread_mutex_lock(&at->lock);
        if (BUG == 2 || still_neighbours(before, at)) {
            bool present = at->key == argument[0];
            if (present && BUG != 3)
                atomic_store(&at->removed, true);
            if (present)
                atomic_store(&before->next, atomic_load(&at->next));
            unlock(before, BUG == 4 ? NULL : at);
            if (present && BUG == 3)
                atomic_store(&at->removed, true);
            return present ? HEDDLE_TRUE : HEDDLE_FALSE;
        }
        unlock(before, BUG == 4 ? NULL : at);
    }
}

static int64_t contains(void *object, const int64_t *argument)
{
    struct node *at;
    walk(object, argument[0], &at);
    return at->key == argument[0] && !atomic_load(&at->removed) ? HEDDLE_TRUE : HEDDLE_FALSE;
}

heddle_lin(.create = create, .operations = {{"add", add, {HEDDLE_RANGE(1, 2)}},
                                            {"remove", remove_key, {HEDDLE_RANGE(1, 2)}},
                                            {"contains", contains, {HEDDLE_RANGE(1, 2)}}});
