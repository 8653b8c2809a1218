// The deque of Chase and Lev (SPAA 2005) on a ring that does not grow: its owner pushes and takes at the bottom, others steal
// at the top. A full one refuses.
//
// options: --calls 3 --total 5
// BUG=1: take does not swap for the last value: it can be stolen as well.
// BUG=2: take looks at the top before it has announced which value it wants.
// BUG=3: steal stores the new top instead of swapping it in.
// BUG=4: steal reads the value after it has moved the top, when the owner may have put another one there.
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#include <heddle/lin.h>

#ifndef BUG
#define BUG 0
#endif

enum { PLACES = 2 };

struct deque {
    _Atomic int64_t top, bottom;
    _Atomic int64_t place[PLACES];
};

static void *create(void)
{
    return calloc(1, sizeof(struct deque));
}

static int64_t push(void *object, const int64_t *argument)
{
    struct deque *d = object;
    int64_t bottom = atomic_load(&d->bottom);
    if (bottom - atomic_load(&d->top) == PLACES)
        return HEDDLE_FALSE;
    atomic_store(&d->place[bottom % PLACES], argument[0]);
    atomic_store(&d->bottom, bottom + 1);
    return HEDDLE_TRUE;
}

static bool move_top(struct deque *d, int64_t top)
{
    return atomic_compare_exchange_strong(&d->top, &top, top + 1);
}

static int64_t take(void *object, const int64_t *argument)
{
    (void)argument;
    struct deque *d = object;
    int64_t bottom = atomic_load(&d->bottom) - 1, top = 0;
    if (BUG == 2)
        top = atomic_load(&d->top);
    atomic_store(&d->bottom, bottom);
    if (BUG != 2)
        top = atomic_load(&d->top);
    int64_t value = top <= bottom ? atomic_load(&d->place[(bottom + PLACES) % PLACES]) : HEDDLE_NIL;
    if (top < bottom)
        return value;
    if (top == bottom && BUG != 1 && !move_top(d, top))
        value = HEDDLE_NIL;
    if (top == bottom && BUG == 1)
        atomic_store(&d->top, top + 1);
    atomic_store(&d->bottom, bottom + 1);
    return value;
}

static int64_t steal(void *object, const int64_t *argument)
{
    (void)argument;
    struct deque *d = object;
    for (;;) {
        int64_t top = atomic_load(&d->top);
        if (top >= atomic_load(&d->bottom))
            return HEDDLE_NIL;
        int64_t value = atomic_load(&d->place[top % PLACES]);
#if BUG == 3
        atomic_store(&d->top, top + 1);
        return value;
#else
        if (move_top(d, top))
            return BUG == 4 ? atomic_load(&d->place[top % PLACES]) : value;
#endif
    }
}

heddle_lin(.create = create, .destroy = free, .operations = {{"push", push, {HEDDLE_FRESH}, .by = 1},
                                                             {"take", take, .by = 1},
                                                             {"steal", steal}});
