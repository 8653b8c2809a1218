// A sorted list as a set with a lock in each node: whoever walks along holds two neighbours at a time.
//
// BUG=1: whoever walks lets go of a node before it has locked the next one, and so can stand on one that was removed.
// BUG=2: remove unlinks a node after it has let the one before it go.
#include <pthread.h>
#include <stdlib.h>

#include <heddle/lin.h>

#ifndef BUG
#define BUG 0
#endif

struct node {
    int64_t key;
    pthread_mutex_t lock;
    struct node *next;
};

static struct node *new_node(int64_t key, struct node *next)
{
    struct node *n = malloc(sizeof *n);
    n->key = key;
    n->next = next;
    pthread_mutex_init(&n->lock, NULL);
    return n;
}

static void *create(void)
{
    return new_node(INT64_MIN, NULL); // in front of all keys, never removed
}

// The last node before the place of the key, locked, and its successor or null, locked as well.
static struct node *walk(struct node *before, int64_t key, struct node **found)
{
    pthread_mutex_lock(&before->lock);
    for (;;) {
        struct node *at = before->next;
        if (at && BUG == 1 && at->key < key)
            pthread_mutex_unlock(&before->lock);
        if (at)
            pthread_mutex_lock(&at->lock);
        if (!at || at->key >= key) {
            *found = at;
            return before;
        }
        if (BUG != 1)
            pthread_mutex_unlock(&before->lock);
        before = at;
    }
}

static int64_t leave(struct node *before, struct node *at, int yes)
{
    if (at)
        pthread_mutex_unlock(&at->lock);
    pthread_mutex_unlock(&before->lock);
    return yes ? HEDDLE_TRUE : HEDDLE_FALSE;
}

static int64_t add(void *object, const int64_t *argument)
{
    struct node *at, *before = walk(object, argument[0], &at);
    int absent = !at || at->key != argument[0];
    if (absent)
        before->next = new_node(argument[0], at);
    return leave(before, at, absent);
}

static int64_t remove_key(void *object, const int64_t *argument)
{
    struct node *at, *before = walk(object, argument[0], &at);
    int present = at && at->key == argument[0];
#if BUG == 2
    int64_t answer = leave(before, at, present);
    if (present)
        before->next = at->next;
    return answer;
#else
    if (present)
        before->next = at->next;
    return leave(before, at, present);
#endif
}

heddle_lin(.create = create,
           .operations = {{"add", add, {HEDDLE_RANGE(1, 2)}}, {"remove", remove_key, {HEDDLE_RANGE(1, 2)}}});
