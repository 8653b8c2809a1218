// An object whose operations are small random programs, chosen by their argument and -DSEED: for comparing searches.
// -DANYTHING: a model that allows every result, so that nothing but races can fail. -DPLAIN: some accesses race.
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

#include <heddle/lin.h>

enum { INSTRUCTIONS = 3, KINDS = 10, RESULTS = 4 };

struct node {
    int64_t value;
    struct node *below;
};

struct object {
    _Atomic int64_t word[2];
    pthread_mutex_t mutex;
    int64_t guarded, open;
    _Atomic(struct node *) top;
};

static void *create(void)
{
    struct object *o = calloc(1, sizeof *o);
    pthread_mutex_init(&o->mutex, NULL);
    return o;
}

static int64_t push(struct object *o, int64_t value)
{
    struct node *n = malloc(sizeof *n);
    n->value = value;
    n->below = atomic_load(&o->top);
    while (!atomic_compare_exchange_strong(&o->top, &n->below, n)) {
    }
    return n->below ? n->below->value : 0;
}

static int64_t guarded(struct object *o, int64_t more)
{
    pthread_mutex_lock(&o->mutex);
    o->guarded += more;
    int64_t value = o->guarded;
    pthread_mutex_unlock(&o->mutex);
    return value;
}

static int64_t at_once_or_not(struct object *o)
{
    if (pthread_mutex_trylock(&o->mutex))
        return 3;
    int64_t value = o->guarded++;
    pthread_mutex_unlock(&o->mutex);
    return value;
}

static int64_t wait_for_word(_Atomic int64_t *word)
{
    while (!atomic_load(word))
        sched_yield();
    return 1;
}

static int64_t instruction(struct object *o, unsigned draw, int64_t r)
{
    _Atomic int64_t *word = &o->word[draw / 16 % 2];
    int64_t expected = r;
    switch (draw % KINDS) {
    case 0: return atomic_load(word);
    case 1: atomic_store(word, r + 1); return r;
    case 2: return atomic_compare_exchange_strong(word, &expected, r + 1);
    case 3: return atomic_fetch_add(word, 1);
    case 4: return guarded(o, r + 1);
    case 5: return guarded(o, 0);
    case 6: return push(o, r + 1);
    case 7: return at_once_or_not(o);
    case 8: return draw % 64 == 8 ? wait_for_word(word) : atomic_load(word) + r;
#ifdef PLAIN
    default: return draw % 32 < 20 ? ++o->open : atomic_exchange(word, r);
#else
    default: return atomic_exchange(word, r);
#endif
    }
}

static int64_t run(void *object, const int64_t *argument)
{
    unsigned draw = (unsigned)argument[0] * 2654435761u + SEED * 40503u;
    int64_t r = 0;
    for (int i = 0; i < INSTRUCTIONS; i++) {
        draw = draw * 1103515245u + 12345u;
        r = instruction(object, draw >> 16, r) & (RESULTS - 1);
    }
    return r;
}

#ifdef ANYTHING
static int step(void *state, const struct heddle_operation *op, int nth, int64_t *result)
{
    (void)state;
    (void)op;
    *result = nth;
    return nth < RESULTS;
}

static const struct heddle_call calls[] = {{.name = "run", .arguments = 1}, {0}};
static const struct heddle_model model = {.name = "anything", .state_size = 8, .calls = calls, .step = step};
#endif

heddle_lin(.create = create, .destroy = free, .operations = {{"run", run, {HEDDLE_RANGE(1, 12)}}},
#ifdef ANYTHING
           .model = &model
#endif
);
