// A stack on which a push and a pop that get in each other's way meet elsewhere (after Hendler, Shavit and Yerushalmi, SPAA
// 2004): whoever fails to swap the top tries one place where a push leaves an offer and a pop takes it. With one place and
// offers that are not used again.
//
// options: --total 5
// BUG=1: push takes its offer back by a store, and does not see that it was taken.
// BUG=2: pop takes an offer without a swap: two pops can take the same.
// BUG=3: push goes on to push what was taken from its offer.
// BUG=4: pop on a stack that looks empty takes the top as it was before.
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#include <heddle/lin.h>

#ifndef BUG
#define BUG 0
#endif

struct node {
    int64_t value;
    struct node *below;
};

struct stack {
    _Atomic(struct node *) top, offer;
};

static void *create(void)
{
    return calloc(1, sizeof(struct stack));
}

// Whether a pop took the value.
static bool offer(struct stack *s, const struct node *n)
{
    struct node *mine = malloc(sizeof *mine), *none = NULL, *expected = mine;
    mine->value = n->value;
    if (!atomic_compare_exchange_strong(&s->offer, &none, mine))
        return false;
#if BUG == 1
    atomic_store(&s->offer, NULL);
    return false;
#else
    return !atomic_compare_exchange_strong(&s->offer, &expected, NULL) && BUG != 3;
#endif
}

static bool take_offer(struct stack *s, int64_t *value)
{
    struct node *n = atomic_load(&s->offer);
    if (!n)
        return false;
#if BUG == 2
    atomic_store(&s->offer, NULL);
#else
    if (!atomic_compare_exchange_strong(&s->offer, &n, NULL))
        return false;
#endif
    *value = n->value;
    return true;
}

static int64_t push(void *object, const int64_t *argument)
{
    struct stack *s = object;
    struct node *n = malloc(sizeof *n);
    n->value = argument[0];
    for (;;) {
        n->below = atomic_load(&s->top);
        struct node *top = n->below;
        if (atomic_compare_exchange_strong(&s->top, &top, n) || offer(s, n))
            return HEDDLE_NIL;
    }
}

static int64_t pop(void *object, const int64_t *argument)
{
    (void)argument;
    struct stack *s = object;
    struct node *before = NULL;
    for (;;) {
        struct node *top = atomic_load(&s->top);
        int64_t value;
        if (!top && BUG == 4 && before)
            return before->value;
        if (!top)
            return HEDDLE_NIL;
        before = top;
        if (atomic_compare_exchange_strong(&s->top, &top, top->below))
            return before->value;
        if (take_offer(s, &value))
            return value;
    }
}

heddle_lin(.create = create, .destroy = free, .operations = {{"push", push, {HEDDLE_FRESH}}, {"pop", pop}});
