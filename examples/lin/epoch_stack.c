// Treiber's stack that gives its nodes back by epochs (Fraser, 2004): a thread that works on the stack announces the epoch it
// began in; the epoch goes on when everybody at work has seen it; what was taken out two epochs ago is freed.
//
// BUG=1: the epoch goes on without looking whether others are still at work in an older one.
// BUG=2: pop announces nothing.
// BUG=3: nodes are freed after one epoch.
// options: --reuse --threads 2 --calls 3 --before=push(1)push(2)
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#include <heddle/lin.h>

#ifndef BUG
#define BUG 0
#endif

enum { THREADS = 16, KEPT = BUG == 3 ? 1 : 2 };

struct node {
    int64_t value;
    struct node *below;
    struct node *retired; // the next one that its thread has taken out and not freed yet
    int epoch;            // in which it was taken out
};

struct stack {
    _Atomic(struct node *) top;
    atomic_int epoch;
    atomic_int at_work[THREADS];   // the epoch that the thread began in, plus 1; 0: it is not at work
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

static bool may_go_on(struct stack *s, int epoch)
{
#if BUG != 1
    int count = atomic_load(&numbers);
    for (int i = 0; i < count; i++) {
        int theirs = atomic_load(&s->at_work[i]);
        if (theirs && theirs != epoch + 1)
            return false;
    }
#endif
    (void)s;
    (void)epoch;
    return true;
}

static void free_old(struct stack *s, int me)
{
    int epoch = atomic_load(&s->epoch);
    for (struct node **at = &s->retired[me]; *at;) {
        struct node *old = *at;
        if (epoch - old->epoch < KEPT) {
            at = &old->retired;
        } else {
            *at = old->retired;
            free(old);
        }
    }
}

static void retire(struct stack *s, int me, struct node *n)
{
    int epoch = atomic_load(&s->epoch);
    n->epoch = epoch;
    n->retired = s->retired[me];
    s->retired[me] = n;
    if (may_go_on(s, epoch))
        atomic_compare_exchange_strong(&s->epoch, &epoch, epoch + 1);
}

static int64_t pop(void *object, const int64_t *argument)
{
    (void)argument;
    struct stack *s = object;
    int me = my_number();
    int64_t value = HEDDLE_NIL;
#if BUG != 2
    atomic_store(&s->at_work[me], atomic_load(&s->epoch) + 1);
#endif
    struct node *top = atomic_load(&s->top);
    while (top && !atomic_compare_exchange_weak(&s->top, &top, top->below))
        ;
    if (top) {
        value = top->value;
        retire(s, me, top);
    }
    atomic_store(&s->at_work[me], 0);
    free_old(s, me);
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
