// A hash map with a lock for each bucket; get takes none.
//
// BUG=1: put looks for the key before it takes the lock: a key can be there twice.
// BUG=2: remove lets the lock go before it unlinks what it found.
// BUG=3: remove takes the lock of the next bucket.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include <heddle/lin.h>

#ifndef BUG
#define BUG 0
#endif

enum { BUCKETS = 2 };

struct node {
    int64_t key;
    _Atomic int64_t value;
    _Atomic(struct node *) next;
};

struct bucket {
    pthread_mutex_t lock;
    _Atomic(struct node *) first;
};

struct map {
    struct bucket bucket[BUCKETS];
};

static void *create(void)
{
    struct map *m = calloc(1, sizeof *m);
    for (int i = 0; i < BUCKETS; i++)
        pthread_mutex_init(&m->bucket[i].lock, NULL);
    return m;
}

static unsigned number_of(int64_t key)
{
    return (unsigned)(key / 2) % BUCKETS; // 2 and 3 meet
}

// The link to the key's node, or the last one, which is empty.
static _Atomic(struct node *) *find(struct bucket *b, int64_t key, struct node **found)
{
    _Atomic(struct node *) *at = &b->first;
    while ((*found = atomic_load(at)) && (*found)->key != key)
        at = &(*found)->next;
    return at;
}

static struct node *new_node(int64_t key, int64_t value)
{
    struct node *n = calloc(1, sizeof *n);
    n->key = key;
    atomic_init(&n->value, value);
    return n;
}

// What was there before.
static int64_t put(void *object, const int64_t *argument)
{
    struct bucket *b = &((struct map *)object)->bucket[number_of(argument[0])];
    struct node *at;
    _Atomic(struct node *) *place = find(b, argument[0], &at);
    int64_t before = HEDDLE_NIL;
    pthread_mutex_lock(&b->lock);
    if (BUG != 1)
        place = find(b, argument[0], &at);
    if (at) {
        before = atomic_exchange(&at->value, argument[1]);
    } else {
        atomic_store(place, new_node(argument[0], argument[1]));
    }
    pthread_mutex_unlock(&b->lock);
    return before;
}

static int64_t remove_key(void *object, const int64_t *argument)
{
    struct map *m = object;
    unsigned number = number_of(argument[0]);
    struct bucket *b = &m->bucket[number];
    pthread_mutex_t *lock = &m->bucket[(number + (BUG == 3)) % BUCKETS].lock;
    struct node *at;
    pthread_mutex_lock(lock);
    _Atomic(struct node *) *place = find(b, argument[0], &at);
    if (BUG == 2)
        pthread_mutex_unlock(lock);
    int64_t before = at ? atomic_load(&at->value) : HEDDLE_NIL;
    if (at)
        atomic_store(place, atomic_load(&at->next));
    if (BUG != 2)
        pthread_mutex_unlock(lock);
    return before;
}

static int64_t get(void *object, const int64_t *argument)
{
    struct node *at;
    find(&((struct map *)object)->bucket[number_of(argument[0])], argument[0], &at);
    return at ? atomic_load(&at->value) : HEDDLE_NIL;
}

heddle_lin(.create = create, .destroy = free, .operations = {{"put", put, {HEDDLE_RANGE(2, 3), HEDDLE_FRESH}},
                                                             {"remove", remove_key, {HEDDLE_RANGE(2, 3)}},
                                                             {"get", get, {HEDDLE_RANGE(2, 3)}}});
