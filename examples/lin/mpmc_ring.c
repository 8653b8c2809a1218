// A bounded queue for many producers and consumers (after Vyukov): each place has a number that says whose turn it is.
// A full queue refuses; so does one whose next place is still being filled or emptied, though by the order of the calls it
// need not: that is allowed here (may_fail).
//
// BUG=1: the producer hands the place over before it has filled it.
// BUG=2: the consumer hands the place back before it has read it.
// BUG=3: the consumer stores the new head instead of swapping it in.
#include <stdatomic.h>
#include <stdlib.h>

#include <heddle/lin.h>

enum { PLACES = 2 };

struct place {
    atomic_uint turn;
    _Atomic int64_t value;
};

struct ring {
    atomic_uint head, tail;
    struct place place[PLACES];
};

static void *create(void)
{
    struct ring *r = calloc(1, sizeof *r);
    for (unsigned i = 0; i < PLACES; i++)
        atomic_init(&r->place[i].turn, i);
    return r;
}

static int64_t put(void *object, const int64_t *argument)
{
    struct ring *r = object;
    unsigned tail = atomic_load(&r->tail);
    for (;;) {
        struct place *p = &r->place[tail % PLACES];
        int ahead = (int)(atomic_load(&p->turn) - tail);
        if (ahead < 0)
            return HEDDLE_FALSE;
        if (ahead > 0) {
            tail = atomic_load(&r->tail);
        } else if (atomic_compare_exchange_strong(&r->tail, &tail, tail + 1)) {
#if BUG == 1
            atomic_store(&p->turn, tail + 1);
            atomic_store(&p->value, argument[0]);
#else
            atomic_store(&p->value, argument[0]);
            atomic_store(&p->turn, tail + 1);
#endif
            return HEDDLE_TRUE;
        }
    }
}

static int64_t take(void *object, const int64_t *argument)
{
    (void)argument;
    struct ring *r = object;
    unsigned head = atomic_load(&r->head);
    for (;;) {
        struct place *p = &r->place[head % PLACES];
        int ahead = (int)(atomic_load(&p->turn) - (head + 1));
        if (ahead < 0)
            return HEDDLE_NIL;
        if (ahead > 0) {
            head = atomic_load(&r->head);
            continue;
        }
#if BUG == 3
        atomic_store(&r->head, head + 1);
#else
        if (!atomic_compare_exchange_strong(&r->head, &head, head + 1))
            continue;
#endif
#if BUG == 2
        atomic_store(&p->turn, head + PLACES);
        return atomic_load(&p->value);
#else
        int64_t value = atomic_load(&p->value);
        atomic_store(&p->turn, head + PLACES);
        return value;
#endif
    }
}

heddle_lin(.create = create, .destroy = free,
           .operations = {{"put", put, {HEDDLE_FRESH}, .may_fail = 1, .failure = HEDDLE_FALSE},
                          {"take", take, .may_fail = 1, .failure = HEDDLE_NIL}});
