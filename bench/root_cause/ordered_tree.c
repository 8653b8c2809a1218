// A map as a search tree in which the order of the keys is kept by links of its own, and decides (logical ordering: Drachsler,
// Vechev and Yahav). The seed's LogicalOrderingAVL, written anew and smaller: the tree is not balanced, and who was removed
// stays in it to show the way.
// a(k, v) puts v unless k is there, and gives what was there; r(k, v) removes k if it has v.
// ADD, REMOVE: the lock is let go between looking at the neighbours and linking or unlinking.
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
    int64_t key, value;
    _Atomic(struct node *) before, after; // in the order
    _Atomic(struct node *) child[2];      // in the tree
    atomic_int removed;
    pthread_mutex_t lock; // of what comes after it
};

static struct node *new_node(int64_t key, int64_t value)
{
    struct node *n = calloc(1, sizeof *n);
    n->key = key;
    n->value = value;
    pthread_mutex_init(&n->lock, NULL);
    return n;
}

static void *create(void)
{
    struct node *first = new_node(INT64_MIN, 0), *last = new_node(INT64_MAX, 0);
    atomic_init(&first->after, last);
    atomic_init(&last->before, first);
    atomic_init(&first->child[1], last);
    return first;
}

// The last node before the key, by the tree and then by the order.
static struct node *find(struct node *root, int64_t key)
{
    struct node *at = root;
    for (struct node *next = at; next; next = atomic_load(&at->child[key > at->key]))
        at = next;
    while (at->key >= key || atomic_load(&at->removed))
        at = atomic_load(&at->before);
    for (struct node *next = atomic_load(&at->after); next->key < key; next = atomic_load(&at->after))
        at = next;
    return at;
}

// Below one of its neighbours, if there is a place; otherwise it is found by the order alone.
static void hang(struct node *before, struct node *after, struct node *n)
{
    struct node *none = NULL;
    if (!atomic_compare_exchange_strong(&before->child[1], &none, n)) {
        none = NULL;
        atomic_compare_exchange_strong(&after->child[0], &none, n);
    }
}

static int64_t put(void *object, const int64_t *argument)
{
    for (;;) {
        struct node *before = find(object, argument[0]);
        pthread_mutex_lock(&before->lock); // add begins
        struct node *after = atomic_load(&before->after);
        int valid = !atomic_load(&before->removed) && after->key >= argument[0];
        if (ADD) {
            pthread_mutex_unlock(&before->lock);
            pthread_mutex_lock(&before->lock);
        }
        if (valid && after->key == argument[0]) {
            pthread_mutex_unlock(&before->lock);
            return after->value;
        }
        if (valid) {
            struct node *n = new_node(argument[0], argument[1]);
            atomic_init(&n->before, before);
            atomic_init(&n->after, after);
            atomic_store(&after->before, n);
            atomic_store(&before->after, n);
            pthread_mutex_unlock(&before->lock); // add ends
            hang(before, after, n);
            return HEDDLE_NIL;
        }
        pthread_mutex_unlock(&before->lock);
    }
}

static int64_t remove_pair(void *object, const int64_t *argument)
{
    for (;;) {
        struct node *before = find(object, argument[0]);
        pthread_mutex_lock(&before->lock); // remove begins
        struct node *at = atomic_load(&before->after);
        int valid = !atomic_load(&before->removed) && at->key >= argument[0];
        if (REMOVE) {
            pthread_mutex_unlock(&before->lock);
            pthread_mutex_lock(&before->lock);
        }
        if (valid && (at->key != argument[0] || at->value != argument[1])) {
            pthread_mutex_unlock(&before->lock);
            return HEDDLE_FALSE;
        }
        if (valid) {
            pthread_mutex_lock(&at->lock);
            atomic_store(&at->removed, 1);
            struct node *after = atomic_load(&at->after);
            atomic_store(&after->before, before);
            atomic_store(&before->after, after);
            pthread_mutex_unlock(&at->lock);
            pthread_mutex_unlock(&before->lock); // remove ends
            return HEDDLE_TRUE;
        }
        pthread_mutex_unlock(&before->lock);
    }
}

heddle_lin(.create = create, .operations = {{"a", put, {HEDDLE_RANGE(0, 1), HEDDLE_RANGE(0, 1)}},
                                            {"r", remove_pair, {HEDDLE_RANGE(0, 1), HEDDLE_RANGE(0, 1)}}});
