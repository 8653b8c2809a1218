#include "history/possible.h"

#include <string.h>

#include "history/timing.h"

enum { NO_SLOT = 64, MOST_STEPS = 100 << 20, LOOK_AT_CLOCK = 1 << 16 };

// Of each state: whether it is possible; and a bit for each operation under way with which it is, having taken effect or not.
struct possibility {
    uint64_t done, open;
    bool there, waiting; // waiting: what follows from it has to be looked at
};

struct possible {
    const struct reachable *r;
    const struct operation *ops;
    const struct lin_options *options;
    struct possibility *state;
    uint32_t *queue, queued;
    uint8_t *slot;               // of each operation under way: its bit
    uint32_t under_way[NO_SLOT]; // by bit: the operation
    uint64_t used;               // bits
    bool *free_label; // labels of operations that never return: they may take effect at any time, over and over
    uint32_t *free_labels, free_count;
    uint64_t steps;
    bool gave_up;
};

static void wake(struct possible *p, uint32_t state)
{
    if (p->state[state].waiting)
        return;
    p->state[state].waiting = true;
    p->queue[p->queued++] = state;
}

static void add_possibility(struct possible *p, uint32_t state, uint64_t done, uint64_t open)
{
    struct possibility *s = &p->state[state];
    if (s->there && !(done & ~s->done) && !(open & ~s->open))
        return;
    s->there = true;
    s->done |= done;
    s->open |= open;
    wake(p, state);
}

// What the operation leads to; `bit` is its own, or 0.
static void follow(struct possible *p, uint32_t state, uint32_t label, uint64_t bit)
{
    size_t step = (size_t)state * p->r->labels + label;
    struct possibility from = p->state[state];
    for (uint32_t i = p->r->first[step]; i < p->r->first[step + 1]; i++)
        add_possibility(p, p->r->next[i], from.done | bit, from.open & ~bit);
    if (++p->steps % LOOK_AT_CLOCK == 0 && (p->steps > MOST_STEPS || lin_late(p->options->deadline)))
        p->gave_up = true;
}

static void follow_all(struct possible *p)
{
    while (p->queued && !p->gave_up) {
        uint32_t state = p->queue[--p->queued];
        p->state[state].waiting = false;
        for (uint64_t left = p->state[state].open; left; left &= left - 1) {
            uint32_t slot = (uint32_t)__builtin_ctzll(left);
            follow(p, state, p->r->label[p->under_way[slot]], (uint64_t)1 << slot);
        }
        for (uint32_t i = 0; i < p->free_count; i++)
            follow(p, state, p->free_labels[i], 0);
    }
}

static void begin_operation(struct possible *p, uint32_t op)
{
    uint64_t bit = 0;
    if (operation_pending(&p->ops[op])) {
        uint32_t label = p->r->label[op];
        if (p->free_label[label])
            return;
        p->free_label[label] = true;
        p->free_labels[p->free_count++] = label;
    } else if (!~p->used) {
        p->gave_up = true;
        return;
    } else {
        uint32_t slot = (uint32_t)__builtin_ctzll(~p->used);
        p->slot[op] = (uint8_t)slot;
        p->under_way[slot] = op;
        bit = (uint64_t)1 << slot;
        p->used |= bit;
    }
    for (uint32_t s = 0; s < p->r->states; s++) {
        if (!p->state[s].there)
            continue;
        p->state[s].open |= bit;
        wake(p, s);
    }
    follow_all(p);
}

// Only states remain with which it may have taken effect. False if there is none.
static bool end_operation(struct possible *p, uint32_t op)
{
    uint64_t bit = (uint64_t)1 << p->slot[op];
    bool any = false;
    p->used &= ~bit;
    for (uint32_t s = 0; s < p->r->states; s++) {
        if (p->state[s].there && p->state[s].done & bit) {
            p->state[s].done &= ~bit;
            p->state[s].open &= ~bit;
            any = true;
        } else {
            p->state[s] = (struct possibility){0};
        }
    }
    return any;
}

static bool take_room(struct possible *p, struct space *space, uint32_t count)
{
    uint32_t states = p->r->states, labels = p->r->labels;
    p->state = space_take(space, states + (size_t)1, sizeof *p->state);
    p->queue = space_take(space, states + (size_t)1, sizeof *p->queue);
    p->slot = space_take(space, count + (size_t)1, sizeof *p->slot);
    p->free_label = space_take(space, labels + (size_t)1, sizeof *p->free_label);
    p->free_labels = space_take(space, labels + (size_t)1, sizeof *p->free_labels);
    if (!p->state || !p->queue || !p->slot || !p->free_label || !p->free_labels)
        return false;
    memset(p->state, 0, states * sizeof *p->state);
    memset(p->free_label, 0, labels * sizeof *p->free_label);
    p->state[0].there = true;
    return true;
}

bool possible_nothing(struct space *space, const struct reachable *r, const struct operation *ops, uint32_t count,
                      const struct lin_options *options)
{
    struct possible p = {.r = r, .ops = ops, .options = options};
    struct timing time;
    if (options->judgement != JUDGE_LINEARIZABLE || options->ignore_pending)
        return false;
    space_clear(space);
    if (!time_operations(space, ops, count, &time) || !take_room(&p, space, count))
        return false;
    for (uint32_t e = 0; e < time.events && !p.gave_up; e++) {
        uint32_t op = time.event[e] / 2;
        if (!(time.event[e] & 1))
            begin_operation(&p, op);
        else if (!end_operation(&p, op))
            return true;
    }
    return false;
}
