// A stack that knows its size. WRONG: for a moment it counts what it then has no memory for.
#include <pthread.h>
#include <stdlib.h>
#include <heddle/lin.h>
struct node {
    int64_t value;
    struct node *below;
};
struct stack {
    pthread_mutex_t lock;
    struct node *top;
    int64_t size;
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
    pthread_mutex_lock(&s->lock);
#ifdef WRONG
    s->size++;
    pthread_mutex_unlock(&s->lock);
    struct node *n = malloc(sizeof *n);
    pthread_mutex_lock(&s->lock);
    if (!n) {
        s->size--;
        pthread_mutex_unlock(&s->lock);
        return -1;
    }
#else
    struct node *n = malloc(sizeof *n);
    if (!n) {
        pthread_mutex_unlock(&s->lock);
        return -1;
    }
    s->size++;
#endif
    n->value = argument[0];
    n->below = s->top;
    s->top = n;
    pthread_mutex_unlock(&s->lock);
    return HEDDLE_NIL;
}
static int64_t size(void *object, const int64_t *argument)
{
    (void)argument;
    struct stack *s = object;
    pthread_mutex_lock(&s->lock);
    int64_t n = s->size;
    pthread_mutex_unlock(&s->lock);
    return n;
}
heddle_lin(.create = create, .operations = {{"push", push, {HEDDLE_FRESH}}, {"size", size}});
