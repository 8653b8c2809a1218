// Clients of data structures, as those on which seed 001 compares S-POR, DL-S-POR and stateless search: three threads add, remove and
// look for numbers in a set or a queue. STRUCTURE says in which.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

enum { COARSE_LIST, FINE_LIST, TREE, QUEUE, HASH_MAP };

#ifndef STRUCTURE
#define STRUCTURE COARSE_LIST
#endif
#ifndef CALLS
#define CALLS 3
#endif

enum { THREADS = 3, KEYS = 4, BUCKETS = 2 };

struct node {
    int key;
    struct node *next, *right; // of a tree: the left one is `next`
    pthread_mutex_t lock;
};

static pthread_mutex_t whole = PTHREAD_MUTEX_INITIALIZER, head_lock = PTHREAD_MUTEX_INITIALIZER,
                       tail_lock = PTHREAD_MUTEX_INITIALIZER,
                       bucket_lock[BUCKETS] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static struct node first = {.key = -1, .lock = PTHREAD_MUTEX_INITIALIZER}, *head = &first, *tail = &first;
static struct node buckets[BUCKETS], *root;
static int added[KEYS], removed[KEYS]; // how often each key was, each under what guards the key

static struct node *node_new(int key)
{
    struct node *n = calloc(1, sizeof *n);
    n->key = key;
    pthread_mutex_init(&n->lock, 0);
    return n;
}

// A sorted list behind `before`, which nobody else touches meanwhile.
static int list_call(struct node *before, int key, int add)
{
    while (before->next && before->next->key < key)
        before = before->next;
    struct node *found = before->next;
    int there = found && found->key == key;
    if (add && !there) {
        struct node *n = node_new(key);
        n->next = found;
        before->next = n;
    } else if (!add && there) {
        before->next = found->next;
    }
    return add != there;
}

static int coarse_call(int key, int add)
{
    pthread_mutex_lock(&whole);
    int done = list_call(&first, key, add);
    pthread_mutex_unlock(&whole);
    return done;
}

// Hand over hand.
static int fine_call(int key, int add)
{
    struct node *before = &first;
    pthread_mutex_lock(&before->lock);
    struct node *found = before->next;
    if (found)
        pthread_mutex_lock(&found->lock);
    while (found && found->key < key) {
        struct node *next = found->next;
        if (next)
            pthread_mutex_lock(&next->lock);
        pthread_mutex_unlock(&before->lock);
        before = found;
        found = next;
    }
    int there = found && found->key == key;
    if (add && !there) {
        struct node *n = node_new(key);
        n->next = found;
        before->next = n;
    } else if (!add && there) {
        before->next = found->next;
    }
    if (found)
        pthread_mutex_unlock(&found->lock);
    pthread_mutex_unlock(&before->lock);
    return add != there;
}

// Keys are never taken out of the tree: instead of a remove it is looked whether one is there.
static int tree_call(int key, int add)
{
    pthread_mutex_lock(&whole);
    struct node **at = &root;
    while (*at && (*at)->key != key)
        at = key < (*at)->key ? &(*at)->next : &(*at)->right;
    int done = !*at == add;
    if (!*at && add)
        *at = node_new(key);
    pthread_mutex_unlock(&whole);
    return done;
}

static int queue_call(int key, int add)
{
    if (add) {
        struct node *n = node_new(key);
        pthread_mutex_lock(&tail_lock);
        __atomic_store_n(&tail->next, n, __ATOMIC_SEQ_CST);
        tail = n;
        pthread_mutex_unlock(&tail_lock);
        return 1;
    }
    pthread_mutex_lock(&head_lock);
    struct node *next = __atomic_load_n(&head->next, __ATOMIC_SEQ_CST);
    if (next)
        head = next;
    pthread_mutex_unlock(&head_lock);
    return next != 0;
}

static int hash_call(int key, int add)
{
    pthread_mutex_lock(&bucket_lock[key % BUCKETS]);
    int done = list_call(&buckets[key % BUCKETS], key, add);
    pthread_mutex_unlock(&bucket_lock[key % BUCKETS]);
    return done;
}

static void call(int key, int add)
{
    static int (*const calls[])(int, int) = {coarse_call, fine_call, tree_call, queue_call, hash_call};
    int done = calls[STRUCTURE](key, add);
    if (done)
        __atomic_fetch_add(add ? &added[key] : &removed[key], 1, __ATOMIC_SEQ_CST);
}

static void *client(void *number)
{
    int me = (int)(long)number;
    for (int n = 0; n < CALLS; n++)
        call((me + n) % KEYS, n % 2 == 0);
    return 0;
}

int main(void)
{
    pthread_t threads[THREADS];
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, client, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    for (int key = 0; key < KEYS && STRUCTURE < QUEUE && STRUCTURE != TREE; key++)
        assert(added[key] - removed[key] == 0 || added[key] - removed[key] == 1);
    return 0;
}
