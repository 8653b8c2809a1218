// Treiber's stack: one compare-and-swap to push, one to pop. Nodes are not given back: that is another
// subject.
//
// BUG=1: pop stores the new top instead of swapping it in: two pops can take the same value.
// BUG=2: push gives up after a swap that failed, as if it had succeeded.
// BUG=3: pop takes the top a second time from memory after it has looked at what lies below.
#include <stdatomic.h>
#include <stdlib.h>

#include <heddle/lin.h>

struct node {
    int64_t value;
    struct node *below;
};

struct stack {
    _Atomic(struct node *) top;
};

static void *create(void)
{
    return calloc(1, sizeof(struct stack));
}

static int64_t push(void *object, const int64_t *argument)
{
    struct stack *s = object;
    struct node *n = malloc(sizeof *n), *top = atomic_load(&s->top);
    n->value = argument[0];
    do {
        n->below = top;
#if BUG == 2
        atomic_compare_exchange_strong(&s->top, &top, n);
        break;
#endif
    } while (!atomic_compare_exchange_weak(&s->top, &top, n));
    return HEDDLE_NIL;
}

static int64_t pop(void *object, const int64_t *argument)
{
    (void)argument;
    struct stack *s = object;
    struct node *top = atomic_load(&s->top);
#if BUG == 1
    if (!top)
        return HEDDLE_NIL;
    atomic_store(&s->top, top->below);
#elif BUG == 3
    struct node *below;
    do {
        if (!top)
            return HEDDLE_NIL;
        below = top->below;
        top = atomic_load(&s->top);
    } while (!top || !atomic_compare_exchange_weak(&s->top, &top, below));
#else
    while (top && !atomic_compare_exchange_weak(&s->top, &top, top->below))
        ;
    if (!top)
        return HEDDLE_NIL;
#endif
    return top->value;
}

heddle_lin(.create = create, .destroy = free, .operations = {{"push", push, {HEDDLE_FRESH}}, {"pop", pop}});
