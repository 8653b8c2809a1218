// A small cache with counts of references: `get` takes its reference after it has let the lock go, so the entry may be gone.
// What fails first is the use of it there; all else comes of it. T1 has
// nothing to do with it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct entry {
    int key, value;
    atomic_int refs;
    struct entry *next;
};

static struct entry *head;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static struct entry *get(int key)
{
    pthread_mutex_lock(&m);
    struct entry *e = head;
    while (e && e->key != key)
        e = e->next;
    pthread_mutex_unlock(&m);
    if (e)
        atomic_fetch_add(&e->refs, 1);
    return e;
}

static void put(struct entry *e)
{
    if (atomic_fetch_sub(&e->refs, 1) == 1)
        free(e);
}

static void evict(int key)
{
    pthread_mutex_lock(&m);
    struct entry **p = &head;
    while (*p && (*p)->key != key)
        p = &(*p)->next;
    struct entry *e = *p;
    if (e)
        *p = e->next;
    pthread_mutex_unlock(&m);
    if (e)
        put(e);
}

static void *reader(void *unused)
{
    (void)unused;
    struct entry *e = get(1);
    if (e) {
        assert(e->value == 42);
        put(e);
    }
    return NULL;
}

static void *evictor(void *unused)
{
    (void)unused;
    evict(1);
    return NULL;
}

int main(void)
{
    static void *(*const threads[])(void *) = {reader, evictor, reader};
    pthread_t t[3];
    struct entry *e = malloc(sizeof *e);
    *e = (struct entry){.key = 1, .value = 42};
    atomic_init(&e->refs, 1);
    head = e;
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, threads[i], NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
