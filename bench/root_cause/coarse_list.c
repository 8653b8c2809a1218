// A sorted list as a set under one readers–writer lock (the seed's RWLockCoarseGrainedListIntSet, written anew).
// ADD, REMOVE: the lock is taken only after the place was looked for. Marks say where it belongs.
#include <pthread.h>
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
    struct node *next;
};

struct set {
    pthread_rwlock_t lock;
    struct node first;
};

static void *create(void)
{
    struct set *s = calloc(1, sizeof *s);
    pthread_rwlock_init(&s->lock, NULL);
    s->first.key = INT64_MIN;
    return s;
}

static struct node *before(struct set *s, int64_t key)
{
    struct node *at = &s->first;
    while (at->next && at->next->key < key)
        at = at->next;
    return at;
}

static int64_t truth(int yes)
{
    return yes ? HEDDLE_TRUE : HEDDLE_FALSE;
}

static int64_t add(void *object, const int64_t *argument)
{
    struct set *s = object;
    struct node *n = malloc(sizeof *n);
    n->key = argument[0];
    if (!ADD)
        pthread_rwlock_wrlock(&s->lock); // add begins
    struct node *at = before(s, argument[0]);
    struct node *next = at->next;
    if (ADD)
        pthread_rwlock_wrlock(&s->lock);
    int absent = !next || next->key != argument[0];
    if (absent) {
        n->next = next;
        at->next = n;
    }
    pthread_rwlock_unlock(&s->lock); // add ends
    return truth(absent);
}

static int64_t remove_key(void *object, const int64_t *argument)
{
    struct set *s = object;
    if (!REMOVE)
        pthread_rwlock_wrlock(&s->lock); // remove begins
    struct node *at = before(s, argument[0]);
    struct node *found = at->next;
    if (REMOVE)
        pthread_rwlock_wrlock(&s->lock);
    int present = found && found->key == argument[0];
    if (present)
        at->next = found->next;
    pthread_rwlock_unlock(&s->lock); // remove ends
    return truth(present);
}

heddle_lin(.create = create, .operations = {{"a", add, {HEDDLE_RANGE(0, 1)}}, {"r", remove_key, {HEDDLE_RANGE(0, 1)}}});
