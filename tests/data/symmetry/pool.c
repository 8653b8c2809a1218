// Workers of a pool, each with an element of one array as its argument. The array is STATIC, on the HEAP, on the stack of main, or
// there is a POINTER to it or to what points to it (HOLDER). In the other cases workers can tell which is which, and something
// goes wrong that only one order of them shows.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#ifndef THREADS
#define THREADS 6
#endif

enum { SECTIONS = 3 };

struct work {
    pthread_mutex_t *lock;
    int sections, number;
    struct work *next;
    long result;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sections, gate;

#ifdef STATIC
static struct work all[THREADS];
#elif defined POINTER
static struct work *all;
#elif defined HOLDER
static struct work **volatile holder;
#endif

// Which worker it is, in ways that only threads which are told apart can know.
static int number_of(struct work *w)
{
#if defined POSITION && (defined STATIC || defined POINTER)
    return (int)(w - all);
#elif defined POSITION
    return (int)(w - *holder);
#elif defined CONTENT
    return w->number;
#elif defined RING
    return w->next < w ? THREADS - 1 : 0;
#else
    return (void)w, 0;
#endif
}

static void *work(void *argument)
{
    struct work *w = argument;
    for (int i = 0; i < w->sections; i++) {
        pthread_mutex_lock(w->lock);
        sections++;
        pthread_mutex_unlock(w->lock);
    }
    pthread_mutex_lock(&lock);
    assert(!(number_of(w) == THREADS - 1 && gate == 0));
    gate++;
#ifdef RESULT
    w->result = gate;
#elif defined TICKET
    all[gate - 1].result++; // the first element is that of the first to come by only if it was the first to be created
    if (gate == 1)
        assert(all[0].result == w->result);
#endif
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t thread[THREADS];
#if defined STATIC
    struct work *base = all;
#elif defined POINTER
    struct work *base = all = calloc(THREADS, sizeof *all);
#elif defined HEAP
    struct work *base = calloc(THREADS, sizeof *base);
#else
    struct work here[THREADS] = {0}, *base = here;
#endif
#ifdef HOLDER
    holder = &base;
#endif
    for (int i = 0; i < THREADS; i++) {
        base[i].lock = &lock;
        base[i].sections = SECTIONS;
#ifdef CONTENT
        base[i].number = i;
#elif defined RING
        base[i].next = &base[(i + 1) % THREADS];
#endif
        pthread_create(&thread[i], NULL, work, &base[i]);
    }
#ifdef RACE
    base[0].sections = SECTIONS;
#endif
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    assert(sections == THREADS * SECTIONS);
#ifdef RESULT
    assert(base[0].result < base[1].result || base[0].result > THREADS - 2);
#endif
#if defined HEAP || defined POINTER
    free(base);
#endif
    return 0;
}
