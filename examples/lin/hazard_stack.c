// Treiber's stack that gives its nodes back, guarded by hazard pointers (Michael, IEEE TPDS 15, 2004): a thread publishes the
// node it is about to look into, and whoever takes a node out frees it only when nobody has published it.
//
// BUG=1: pop does not look again whether the node it has published is still the top: it may have been freed before.
// BUG=2: pop frees the node at once: others may be looking into it, and with --reuse it may come back as another's (ABA).
// BUG=3: pop takes its hazard pointer back before the swap: another thread may free the node and push it again meanwhile.
// options: --reuse --threads 2 --calls 3 --before=push(1)push(2)
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#include <heddle/lin.h>

#ifndef BUG
#define BUG 0
#endif

enum { THREADS = 16 };

struct node {
    int64_t value;
    struct node *below;
    struct node *retired; // the next one that its thread has taken out and not freed yet
};

struct stack {
    _Atomic(struct node *) top;
    _Atomic(struct node *) hazard[THREADS];
    struct node *retired[THREADS]; // each thread's own
};

// Threads take numbers when they pop for the first time.
static atomic_int numbers;
static _Thread_local int number;

static int my_number(void)
{
    if (!number)
        number = 1 + atomic_fetch_add(&numbers, 1);
    return number - 1;
}

static void *create(void)
{
    return calloc(1, sizeof(struct stack));
}

static int64_t push(void *object, const int64_t *argument)
{
    struct stack *s = object;
    struct node *n = malloc(sizeof *n), *top = atomic_load(&s->top);
    n->value = argument[0];
    do
        n->below = top;
    while (!atomic_compare_exchange_weak(&s->top, &top, n));
    return HEDDLE_NIL;
}

static bool is_published(struct stack *s, const struct node *n)
{
    int count = atomic_load(&numbers);
    for (int i = 0; i < count; i++)
        if (atomic_load(&s->hazard[i]) == n)
            return true;
    return false;
}

// Frees what nobody looks into any more.
static void retire(struct stack *s, int me, struct node *n)
{
#if BUG == 2
    (void)me;
    free(n);
#else
    n->retired = s->retired[me];
    s->retired[me] = n;
    for (struct node **at = &s->retired[me]; *at;) {
        struct node *old = *at;
        if (is_published(s, old)) {
            at = &old->retired;
        } else {
            *at = old->retired;
            free(old);
        }
    }
#endif
}

static int64_t pop(void *object, const int64_t *argument)
{
    (void)argument;
    struct stack *s = object;
    int me = my_number();
    struct node *top;
    for (;;) {
        top = atomic_load(&s->top);
        atomic_store(&s->hazard[me], top);
        if (!top)
            return HEDDLE_NIL;
#if BUG != 1
        if (atomic_load(&s->top) != top)
            continue;
#endif
        struct node *below = top->below;
#if BUG == 3
        atomic_store(&s->hazard[me], NULL);
#endif
        struct node *expected = top;
        if (atomic_compare_exchange_strong(&s->top, &expected, below))
            break;
    }
    atomic_store(&s->hazard[me], NULL);
    int64_t value = top->value;
    retire(s, me, top);
    return value;
}

static void destroy(void *object)
{
    struct stack *s = object;
    for (struct node *n = atomic_load(&s->top), *below; n; n = below) {
        below = n->below;
        free(n);
    }
    for (int i = 0; i < THREADS; i++) {
        for (struct node *n = s->retired[i], *next; n; n = next) {
            next = n->retired;
            free(n);
        }
    }
    free(s);
}

heddle_lin(.create = create, .destroy = destroy, .operations = {{"push", push, {HEDDLE_FRESH}}, {"pop", pop}});
