// expect: verified
// expect: verified options: --reuse
// expect: bug use-after-free options: --reuse --cflags -DBUG=1
// A stack under one lock that frees its nodes. BUG=1: pop reads the value after it has given the node back.
#include <pthread.h>
#include <stdlib.h>

#include <heddle/lin.h>

struct node {
    int64_t value;
    struct node *next;
};

struct stack {
    pthread_mutex_t lock;
    struct node *head;
};

static void *create(void)
{
    struct stack *s = calloc(1, sizeof *s);
    pthread_mutex_init(&s->lock, NULL);
    return s;
}

static int64_t push(void *object, const int64_t *argument)
{
    struct stack *s = object;
    struct node *n = malloc(sizeof *n);
    n->value = argument[0];
    pthread_mutex_lock(&s->lock);
    n->next = s->head;
    s->head = n;
    pthread_mutex_unlock(&s->lock);
    return HEDDLE_NIL;
}

static int64_t pop(void *object, const int64_t *argument)
{
    (void)argument;
    struct stack *s = object;
    int64_t value = HEDDLE_NIL;
    pthread_mutex_lock(&s->lock);
    struct node *n = s->head;
    if (n)
        s->head = n->next;
    pthread_mutex_unlock(&s->lock);
    if (!n)
        return value;
#if BUG == 1
    free(n);
    return n->value;
#else
    value = n->value;
    free(n);
    return value;
#endif
}

heddle_lin(.create = create, .operations = {{"push", push, {HEDDLE_FRESH}}, {"pop", pop}});
