// A balanced tree as a set with logical ordering (after Drachsler, Vechev and Yahav, PPoPP 2014). Which keys are there is told
// by a doubly linked list of the nodes in order, each with a lock for its link to the next. The tree, an AVL tree, is only a
// fast way into the list: contains goes down the tree without locks, may be led astray by a rotation, and then follows the
// list. Here the shape of the tree has one lock; the original has one in each node.
//
// BUG=1: add looks at its neighbour in the list before it has locked it.
// BUG=2: remove looks at its neighbour in the list before it has locked it.
// BUG=3: contains believes the tree.
// BUG=4: remove marks the node only when the list's locks are free again.
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
    atomic_bool removed;
    _Atomic(struct node *) before, after; // in the list …
    pthread_mutex_t lock;                 // … for `after`, and `before` of the node there
    _Atomic(struct node *) child[2];      // in the tree, with smaller and with larger keys
    int height;                           // this and whether it is in the tree, or need not come there, is
    bool placed, gone;                    // under the tree's lock
};

struct tree {
    struct node *least, *greatest; // ends of the list; the tree hangs below the greatest
    pthread_mutex_t shape;
};

static struct node *new_node(int64_t key, struct node *before, struct node *after)
{
    struct node *n = calloc(1, sizeof *n);
    n->key = key;
    n->height = 1;
    pthread_mutex_init(&n->lock, NULL);
    atomic_init(&n->before, before);
    atomic_init(&n->after, after);
    return n;
}

static void *create(void)
{
    struct tree *t = calloc(1, sizeof *t);
    t->greatest = new_node(INT64_MAX, NULL, NULL);
    t->least = new_node(INT64_MIN, NULL, t->greatest);
    atomic_init(&t->greatest->before, t->least);
    pthread_mutex_init(&t->shape, NULL);
    return t;
}

// ---- the shape of the tree: under its lock ----

static struct node *child(struct node *n, int side)
{
    return atomic_load_explicit(&n->child[side], memory_order_relaxed);
}

static void set_child(struct node *n, int side, struct node *to)
{
    if (child(n, side) != to)
        atomic_store(&n->child[side], to);
}

static int height(const struct node *n)
{
    return n ? n->height : 0;
}

static void measure(struct node *n)
{
    int left = height(child(n, 0)), right = height(child(n, 1));
    n->height = 1 + (left > right ? left : right);
}

// The child on this side comes to the top.
static struct node *rotate(struct node *n, int side)
{
    struct node *top = child(n, side);
    set_child(n, side, child(top, !side));
    set_child(top, !side, n);
    measure(n);
    measure(top);
    return top;
}

static struct node *balance(struct node *n)
{
    measure(n);
    for (int side = 0; side < 2; side++) {
        struct node *heavy = child(n, side);
        if (height(heavy) < height(child(n, !side)) + 2)
            continue;
        if (height(child(heavy, !side)) > height(child(heavy, side)))
            set_child(n, side, rotate(heavy, !side));
        return rotate(n, side);
    }
    return n;
}

static struct node *insert(struct node *at, struct node *n)
{
    if (!at)
        return n;
    int side = at->key < n->key;
    set_child(at, side, insert(child(at, side), n));
    return balance(at);
}

// Takes the least node out.
static struct node *take_least(struct node *at, struct node **least)
{
    if (!child(at, 0)) {
        *least = at;
        return child(at, 1);
    }
    set_child(at, 0, take_least(child(at, 0), least));
    return balance(at);
}

static struct node *take(struct node *at, const struct node *n)
{
    if (at != n) {
        int side = at->key < n->key;
        set_child(at, side, take(child(at, side), n));
        return balance(at);
    }
    if (!child(at, 0) || !child(at, 1))
        return child(at, !child(at, 0));
    struct node *heir, *right = take_least(child(at, 1), &heir);
    set_child(heir, 0, child(at, 0));
    set_child(heir, 1, right);
    return balance(heir);
}

// ---- the list ----

// Where going down the tree ends: at the key, or near it.
static struct node *descend(const struct tree *t, int64_t key)
{
    struct node *at = t->greatest, *next;
    while (at->key != key && (next = atomic_load(&at->child[at->key < key])))
        at = next;
    return at;
}

// The node in front of the key's place in the list, locked. It was found there, but need not be there any more.
static struct node *lock_before(const struct tree *t, int64_t key)
{
    struct node *at = descend(t, key);
    while (at->key >= key)
        at = atomic_load(&at->before);
    pthread_mutex_lock(&at->lock);
    return at;
}

static bool is_before(struct node *before, struct node *after, int64_t key)
{
    return before->key < key && key <= after->key && !atomic_load(&before->removed);
}

// The same, and that it is there: `*after` follows it.
static struct node *find_place(const struct tree *t, int64_t key, struct node **after, bool too_early)
{
    for (;;) {
        struct node *before = lock_before(t, key);
        if (too_early)
            pthread_mutex_unlock(&before->lock);
        *after = atomic_load(&before->after);
        bool good = is_before(before, *after, key);
        if (too_early)
            pthread_mutex_lock(&before->lock);
        if (good)
            return before;
        pthread_mutex_unlock(&before->lock);
    }
}

static void place(struct tree *t, struct node *n)
{
    pthread_mutex_lock(&t->shape);
    if (!n->gone)
        set_child(t->greatest, 0, insert(child(t->greatest, 0), n));
    n->placed = true;
    pthread_mutex_unlock(&t->shape);
}

static int64_t add(void *object, const int64_t *argument)
{
    struct tree *t = object;
    struct node *after, *before = find_place(t, argument[0], &after, BUG == 1);
    if (after->key == argument[0]) {
        pthread_mutex_unlock(&before->lock);
        return HEDDLE_FALSE;
    }
    struct node *n = new_node(argument[0], before, after);
    atomic_store(&before->after, n); // first: whoever comes from the other side goes by this link in the end
    atomic_store(&after->before, n);
    pthread_mutex_unlock(&before->lock);
    place(t, n);
    return HEDDLE_TRUE;
}

static void unlink_node(struct tree *t, struct node *before, struct node *n)
{
    struct node *after = atomic_load(&n->after);
    pthread_mutex_lock(&t->shape);
    if (BUG != 4)
        atomic_store(&n->removed, true);
    atomic_store(&after->before, before);
    atomic_store(&before->after, after);
    n->gone = true;
    if (n->placed)
        set_child(t->greatest, 0, take(child(t->greatest, 0), n));
    pthread_mutex_unlock(&t->shape);
}

static int64_t remove_key(void *object, const int64_t *argument)
{
    struct tree *t = object;
    struct node *n, *before = find_place(t, argument[0], &n, BUG == 2);
    bool present = n->key == argument[0];
    if (present) {
        pthread_mutex_lock(&n->lock);
        unlink_node(t, before, n);
        pthread_mutex_unlock(&n->lock);
    }
    pthread_mutex_unlock(&before->lock);
    if (present && BUG == 4)
        atomic_store(&n->removed, true);
    return present ? HEDDLE_TRUE : HEDDLE_FALSE;
}

static int64_t contains(void *object, const int64_t *argument)
{
    struct node *at = descend(object, argument[0]);
    while (BUG != 3 && at->key > argument[0])
        at = atomic_load(&at->before);
    while (BUG != 3 && at->key < argument[0])
        at = atomic_load(&at->after);
    return at->key == argument[0] && !atomic_load(&at->removed) ? HEDDLE_TRUE : HEDDLE_FALSE;
}

heddle_lin(.create = create, .operations = {{"add", add, {HEDDLE_RANGE(1, 3)}},
                                            {"remove", remove_key, {HEDDLE_RANGE(1, 3)}},
                                            {"contains", contains, {HEDDLE_RANGE(1, 3)}}});
