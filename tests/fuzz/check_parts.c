#include "fuzz/check_parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "explore/search_part.h"
#include "explore/search.h"

enum { MOST_PARTED = 2000, MOST_IN_STACKS = 200, PARTS = 600, ROOT = 0, PART_BYTES = 1 << 18 };

// One part, and what exploring it showed: the executions in the order in which they were run.
struct explored {
    struct search_part *part;
    uint32_t next; // the part that comes after it in the search of one worker; 0: none
    bool begun;
    uint64_t *trace;
    uint32_t traces;
    size_t room;
};

struct division {
    struct machine *m;
    struct strategy *strategy;
    enum strategy_kind kind;
    struct explored parts[PARTS];
    uint32_t count, at; // parts, and which is being explored
    uint64_t random;
    bool gives, stopped, unsound;
};

static uint32_t draw(struct division *d, uint32_t below)
{
    d->random = d->random * 6364136223846793005ull + 1442695040888963407ull;
    return (uint32_t)(d->random >> 33) % below;
}

// Room for another part; and a part that comes next in the search of one worker, after what has been explored of the one at hand.
static struct search_part *new_part(struct division *d)
{
    struct explored *new = &d->parts[d->count];
    if (!new->part)
        new->part = alloc_array(PART_BYTES, 1);
    return new->part;
}

static void add_part(struct division *d)
{
    struct explored *new = &d->parts[d->count], *here = &d->parts[d->at];
    new->next = here->next;
    here->next = d->count++;
}

// What was kept is divided once more, without being run.
static void divide_kept(struct division *d)
{
    uint32_t kept = d->count - 1;
    while (d->count < PARTS && !draw(d, 2) && part_divide(d->parts[kept].part, new_part(d))) {
        d->parts[d->count].next = d->parts[kept].next;
        d->parts[kept].next = d->count++;
    }
}

// Now and then a part is given away; and sometimes whoever explores is stopped, and somebody else goes on with what was kept.
static bool on_leaf(void *context, bool whole)
{
    struct division *d = context;
    struct explored *here = &d->parts[d->at];
    (void)whole;
    here->trace = alloc_grow(here->trace, here->traces, &here->room, sizeof *here->trace);
    here->trace[here->traces++] = d->m->now.trace;
    if (d->gives && d->count < PARTS && !draw(d, 3) && d->strategy->give(d->strategy, new_part(d), PART_BYTES))
        add_part(d);
    d->stopped = d->gives && d->count < PARTS && !draw(d, 9) && d->strategy->keep(d->strategy, new_part(d), PART_BYTES);
    if (d->stopped) {
        const struct search_part *kept = new_part(d);
        d->unsound |= !part_is_sound(kept, part_bytes(kept));
        add_part(d);
        divide_kept(d);
    }
    return !d->stopped;
}

// Explores a part to its end; false if it has none.
static bool explore(struct division *d, uint32_t which)
{
    static const struct strategy_options plain = {.preemptions = NO_BOUND};
    d->m->target.restart(&d->m->target, 0);
    d->strategy = strategy_new(d->kind, &d->m->target, &plain);
    d->at = which;
    d->stopped = false;
    d->parts[which].begun = true;
    struct search search = {.strategy = d->strategy,
                            .max_executions = MOST_PARTED * 20,
                            .max_steps = MACHINE_STEPS,
                            .leaf = on_leaf,
                            .context = d};
    bool empty = which != ROOT && !d->strategy->take(d->strategy, d->parts[which].part);
    bool done = empty || search_run(&search) == SEARCH_DONE || d->stopped;
    d->strategy->free(d->strategy);
    return done;
}

static uint32_t count_waiting(const struct division *d)
{
    uint32_t waiting = 0;
    for (uint32_t i = 0; i < d->count; i++)
        waiting += !d->parts[i].begun;
    return waiting;
}

static uint32_t draw_waiting(struct division *d)
{
    uint32_t which = draw(d, count_waiting(d)), i = 0;
    for (;; i++)
        if (!d->parts[i].begun && !which--)
            return i;
}

static bool explore_all(struct division *d, bool gives)
{
    bool done = true;
    d->count = 1;
    d->gives = gives;
    while (done && count_waiting(d))
        done = explore(d, draw_waiting(d));
    return done;
}

// Whether the parts in their order, from one to the next, show what the whole did.
static bool is_the_same(const struct division *d, const struct explored *whole)
{
    uint32_t at = 0;
    for (uint32_t i = ROOT;; i = d->parts[i].next) {
        const struct explored *part = &d->parts[i];
        if (at + part->traces > whole->traces ||
            (part->traces && memcmp(part->trace, whole->trace + at, part->traces * sizeof *part->trace)))
            return false;
        at += part->traces;
        if (!part->next)
            return at == whole->traces;
    }
}

static void forget(struct division *d)
{
    for (uint32_t i = 0; i < PARTS; i++) {
        free(d->parts[i].part);
        free(d->parts[i].trace);
    }
}

const char *check_parts(struct machine *m, uint32_t traces, uint64_t seed, struct tally *tally)
{
    static struct division whole, parted;
    const char *wrong = NULL;
    if (traces > MOST_PARTED)
        return NULL;
    memset(&whole, 0, sizeof whole);
    memset(&parted, 0, sizeof parted);
    whole.m = parted.m = m;
    whole.kind = parted.kind = STRATEGY_OPTIMAL;
    parted.random = seed;
    if (!explore_all(&whole, false) || !explore_all(&parted, true))
        wrong = "a divided search does not come to an end";
    else if (parted.unsound)
        wrong = "a part that was kept makes no sense";
    else if (!is_the_same(&parted, &whole.parts[ROOT]))
        wrong = "a divided search has other executions, or has them in another order";
    tally->parts += parted.count;
    forget(&whole);
    forget(&parted);
    return wrong;
}

static const char *check_stacks_of(struct machine *m, enum strategy_kind kind, const struct set *traces, uint64_t seed)
{
    static struct division d;
    struct set found = {0};
    const char *wrong = NULL;
    memset(&d, 0, sizeof d);
    d.m = m;
    d.kind = kind;
    d.random = seed;
    bool ended =
        explore_all(&d, true); // it may need hundreds of executions for a trace, which are too many for some programs
    if (d.unsound)
        wrong = "a stack that was kept makes no sense";
    for (uint32_t i = 0; i < d.count; i++)
        for (uint32_t k = 0; k < d.parts[i].traces; k++)
            set_add(&found, d.parts[i].trace[k]);
    if (!wrong && ended && !set_equal(&found, traces))
        wrong = kind == STRATEGY_DDPOR ? "ddpor misses traces" : "ddpor-aggressive misses traces";
    forget(&d);
    set_free(&found);
    return wrong;
}

const char *check_stacks(struct machine *m, const struct set *traces, uint64_t seed)
{
    if (traces->count > MOST_IN_STACKS)
        return NULL;
    const char *wrong = check_stacks_of(m, STRATEGY_DDPOR, traces, seed);
    return wrong ? wrong : check_stacks_of(m, STRATEGY_DDPOR_AGGRESSIVE, traces, seed);
}
