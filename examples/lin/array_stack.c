// A stack in an array (Afek, Gafni and Morrison): push takes the next place and then fills it, pop goes down from the top and
// takes the first value that it finds.
//
// BUG=1: pop reads a place and empties it in two steps: two pops can take the same value.
#include <stdatomic.h>
#include <stdlib.h>

#include <heddle/lin.h>

enum { EMPTY = 0, PLACES = 16 };

struct stack {
    atomic_int range; // places that have been given out
    atomic_llong item[PLACES];
};

static void *create(void)
{
    return calloc(1, sizeof(struct stack));
}

static int64_t push(void *object, const int64_t *argument)
{
    struct stack *s = object;
    int i = atomic_fetch_add(&s->range, 1);
    atomic_store(&s->item[i], argument[0]);
    return HEDDLE_NIL;
}

static int64_t pop(void *object, const int64_t *argument)
{
    (void)argument;
    struct stack *s = object;
    for (int i = atomic_load(&s->range) - 1; i >= 0; i--) {
#if BUG == 1
        int64_t x = atomic_load(&s->item[i]);
        atomic_store(&s->item[i], EMPTY);
#else
        int64_t x = atomic_exchange(&s->item[i], EMPTY);
#endif
        if (x != EMPTY)
            return x;
    }
    return HEDDLE_NIL;
}

heddle_lin(.create = create, .destroy = free, .operations = {{"push", push, {HEDDLE_FRESH}}, {"pop", pop}});
