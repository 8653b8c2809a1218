// A sorted list as a set, under one lock.
//
// BUG=1: add looks for the place before it takes the lock.
// BUG=2: remove looks for the node before it takes the lock.
// BUG=3: contains takes no lock and trusts in a counter that add raises before it has added.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include <heddle/lin.h>

struct node {
    int64_t key;
    struct node *next;
};

struct set {
    pthread_mutex_t lock;
    struct node *first;
    atomic_int count[4]; // of each key, for contains with BUG=3
};

static void *create(void)
{
    struct set *s = calloc(1, sizeof *s);
    pthread_mutex_init(&s->lock, NULL);
    return s;
}

static struct node **place_of(struct set *s, int64_t key)
{
    struct node **at = &s->first;
    while (*at && (*at)->key < key)
        at = &(*at)->next;
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
#if BUG == 3
    atomic_fetch_add(&s->count[argument[0]], 1);
#endif
#if BUG == 1
    struct node **at = place_of(s, argument[0]), *next = *at;
    pthread_mutex_lock(&s->lock);
#else
    pthread_mutex_lock(&s->lock);
    struct node **at = place_of(s, argument[0]), *next = *at;
#endif
    int absent = !next || next->key != argument[0];
    if (absent) {
        n->next = next;
        *at = n;
    }
    pthread_mutex_unlock(&s->lock);
#if BUG == 3
    if (!absent)
        atomic_fetch_sub(&s->count[argument[0]], 1);
#endif
    return truth(absent);
}

static int64_t remove_key(void *object, const int64_t *argument)
{
    struct set *s = object;
#if BUG == 2
    struct node **at = place_of(s, argument[0]), *found = *at;
    pthread_mutex_lock(&s->lock);
#else
    pthread_mutex_lock(&s->lock);
    struct node **at = place_of(s, argument[0]), *found = *at;
#endif
    int present = found && found->key == argument[0];
    if (present)
        *at = found->next;
    pthread_mutex_unlock(&s->lock);
#if BUG == 3
    if (present)
        atomic_fetch_sub(&s->count[argument[0]], 1);
#endif
    return truth(present);
}

static int64_t contains(void *object, const int64_t *argument)
{
    struct set *s = object;
#if BUG == 3
    return truth(atomic_load(&s->count[argument[0]]) > 0);
#else
    pthread_mutex_lock(&s->lock);
    struct node *found = *place_of(s, argument[0]);
    int present = found && found->key == argument[0];
    pthread_mutex_unlock(&s->lock);
    return truth(present);
#endif
}

heddle_lin(.create = create, .destroy = free,
           .operations = {{"add", add, {HEDDLE_RANGE(1, 2)}},
                          {"remove", remove_key, {HEDDLE_RANGE(1, 2)}},
                          {"contains", contains, {HEDDLE_RANGE(1, 2)}}});
