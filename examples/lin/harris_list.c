// A sorted list as a set without locks (Harris, DISC 2001): the lowest bit of a node's link says that the node is removed;
// whoever comes by unlinks it.
//
// BUG=1: remove stores the mark instead of swapping it in: what was linked behind the node meanwhile is lost.
// BUG=2: remove unlinks the node without marking it first.
// BUG=3: contains does not look at marks.
// BUG=4: add does not look whether its swap went through.
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#include <heddle/lin.h>

#ifndef BUG
#define BUG 0
#endif

struct node {
    int64_t key;
    _Atomic uintptr_t next; // the next node; with the lowest bit: this node is removed
};

static struct node *node_at(uintptr_t link)
{
    return (struct node *)(link & ~(uintptr_t)1);
}

static struct node *new_node(int64_t key)
{
    struct node *n = malloc(sizeof *n);
    n->key = key;
    atomic_init(&n->next, 0);
    return n;
}

static void *create(void)
{
    return new_node(INT64_MIN); // in front of all keys, never removed
}

static bool swap(struct node *n, uintptr_t from, uintptr_t to)
{
    return atomic_compare_exchange_strong(&n->next, &from, to);
}

// The last node in front of the place of the key, and what its link has to be for what follows: `*found`, or 0. Unlinks what
// is removed on the way.
static struct node *walk(struct node *head, int64_t key, struct node **found)
{
again:;
    struct node *before = head;
    uintptr_t link = atomic_load(&before->next);
    for (;;) {
        struct node *at = node_at(link);
        if (!at)
            break;
        uintptr_t next = atomic_load(&at->next);
        if (next & 1) {
            if (!swap(before, link, next & ~(uintptr_t)1))
                goto again;
            link = next & ~(uintptr_t)1;
            continue;
        }
        if (at->key >= key)
            break;
        before = at;
        link = next;
    }
    *found = node_at(link);
    return before;
}

static int64_t add(void *object, const int64_t *argument)
{
    struct node *n = new_node(argument[0]);
    for (;;) {
        struct node *at, *before = walk(object, argument[0], &at);
        if (at && at->key == argument[0])
            return HEDDLE_FALSE;
        atomic_store(&n->next, (uintptr_t)at);
        if (swap(before, (uintptr_t)at, (uintptr_t)n) || BUG == 4)
            return HEDDLE_TRUE;
    }
}

// Whether this call is the one that removed the node.
static bool mark(struct node *at, uintptr_t next)
{
#if BUG == 1
    atomic_store(&at->next, next | 1);
    return true;
#elif BUG == 2
    (void)at;
    (void)next;
    return true;
#else
    return swap(at, next, next | 1);
#endif
}

static int64_t remove_key(void *object, const int64_t *argument)
{
    for (;;) {
        struct node *at, *before = walk(object, argument[0], &at);
        if (!at || at->key != argument[0])
            return HEDDLE_FALSE;
        uintptr_t next = atomic_load(&at->next);
        if (next & 1 || !mark(at, next))
            continue;
        bool unlinked = swap(before, (uintptr_t)at, next);
        if (BUG == 2 && !unlinked)
            continue;
        return HEDDLE_TRUE;
    }
}

static int64_t contains(void *object, const int64_t *argument)
{
    uintptr_t link = atomic_load(&((struct node *)object)->next);
    while (node_at(link) && node_at(link)->key < argument[0])
        link = atomic_load(&node_at(link)->next);
    struct node *at = node_at(link);
    bool found = at && at->key == argument[0] && (BUG == 3 || !(atomic_load(&at->next) & 1));
    return found ? HEDDLE_TRUE : HEDDLE_FALSE;
}

heddle_lin(.create = create, .operations = {{"add", add, {HEDDLE_RANGE(1, 2)}},
                                            {"remove", remove_key, {HEDDLE_RANGE(1, 2)}},
                                            {"contains", contains, {HEDDLE_RANGE(1, 2)}}});
