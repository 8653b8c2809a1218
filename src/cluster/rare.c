#include "cluster/rare.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/mem.h"
#include "cluster/cluster_run.h"
#include "target/nodes/world.h"

enum { SEEN = 1 << 20, LEVELS = 16, PLACES = 1 << 14, TRIES = 8 };

struct place {
    uint32_t chosen;     // so many samples have gone on from here
    uint32_t node_state; // the rarest of a single node here: its number in `times`
    uint32_t count;
    struct step *steps;
};

// Places are kept apart by how many faults it took to come there, so that the many with many faults do not push aside the few
// from which much can still go wrong.
struct rare {
    uint64_t *seen;  // views of all nodes, each where its hash says; another one may take that
    uint32_t *times; // that a state of a single node was noted, by its hash
    struct place *places[LEVELS];
    uint32_t counts[LEVELS];
};

struct rare *rare_new(void)
{
    struct rare *r = mem_reserve(sizeof *r);
    r->seen = mem_reserve(SEEN * sizeof *r->seen);
    r->times = mem_reserve(SEEN * sizeof *r->times);
    for (int i = 0; i < LEVELS; i++)
        r->places[i] = mem_reserve(PLACES * sizeof(struct place));
    return r;
}

void rare_free(struct rare *r)
{
    for (int i = 0; i < LEVELS; i++) {
        for (uint32_t k = 0; k < r->counts[i]; k++)
            free(r->places[i][k].steps);
        mem_release(r->places[i], PLACES * sizeof(struct place));
    }
    mem_release(r->times, SEEN * sizeof *r->times);
    mem_release(r->seen, SEEN * sizeof *r->seen);
    mem_release(r, sizeof *r);
}

static bool is_new(struct rare *r, uint64_t key)
{
    uint64_t *place = &r->seen[key >> 13 & (SEEN - 1)];
    bool new = *place != key;
    *place = key;
    return new;
}

static void keep(struct place *p)
{
    const struct exec *x = &world.exec;
    p->steps = alloc_resize(p->steps, x->count, sizeof *p->steps);
    for (uint32_t i = 0; i < x->count; i++)
        p->steps[i] = (struct step){x->events[i].actor, x->events[i].alternative};
    p->count = x->count;
    p->chosen = 0;
}

// How well known a place is: by how often it was chosen, and in half of the cases by what is rarest about it as well.
static uint64_t fame(const struct rare *r, const struct place *p, bool by_state)
{
    return by_state ? (uint64_t)(1 + p->chosen) * r->times[p->node_state] : p->chosen;
}

// Of some random places, the best or the least known.
static struct place *choose_place(struct rare *r, uint32_t level, struct draw *draw, bool best_known)
{
    struct place *choice = &r->places[level][draw_below(draw, r->counts[level])];
    bool by_state = draw_below(draw, 2);
    for (int i = 1; i < TRIES; i++) {
        struct place *other = &r->places[level][draw_below(draw, r->counts[level])];
        uint64_t a = fame(r, choice, by_state), b = fame(r, other, by_state);
        if (best_known ? b > a : b < a)
            choice = other;
    }
    return choice;
}

// Counts what each node reports. Gives a number for all of it, in which it does not matter who is who.
static uint64_t count_states(struct rare *r, uint32_t *rarest)
{
    uint64_t view = 0;
    for (int i = 0; i < world.options.nodes; i++) {
        uint64_t hash = world_report_hash(i);
        uint32_t state = (uint32_t)(hash >> 17) & (SEEN - 1);
        view += hash * 0x9e3779b97f4a7c15u;
        r->times[state]++;
        if (!i || r->times[state] < r->times[*rarest])
            *rarest = state;
    }
    return view;
}

bool rare_note(struct rare *r, struct draw *draw)
{
    uint32_t level = cluster_faults();
    if (level >= LEVELS)
        level = LEVELS - 1;
    uint32_t rarest = 0;
    uint64_t view = count_states(r, &rarest) + level;
    if (!is_new(r, view))
        return false;
    struct place *p =
        r->counts[level] < PLACES ? &r->places[level][r->counts[level]++] : choose_place(r, level, draw, true);
    keep(p);
    p->node_state = rarest;
    return true;
}

const struct step *rare_choose(struct rare *r, struct draw *draw, uint32_t *count)
{
    uint32_t levels[LEVELS], n = 0;
    for (uint32_t i = 0; i < LEVELS; i++)
        if (r->counts[i])
            levels[n++] = i;
    if (!n)
        return NULL;
    if (n > 1 && draw_below(draw, 8)) // there is more to come from where something is left to go wrong
        n--;
    struct place *p = choose_place(r, levels[draw_below(draw, n)], draw, false);
    p->chosen++;
    *count = p->count;
    return p->steps;
}
