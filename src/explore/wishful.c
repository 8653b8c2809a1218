// One execution in which some operations come in a wished order, if the program goes that way.
//
// An actor that stands at an operation which is to come after another waits until that other one is done. Actors that are still
// to do something before others are preferred. Everything else is as usual, or drawn if the seed is not 0. If only actors that
// wait could go on, the wish is given up and they go on. The same if actors are to meet: each waits where it is until all are there.
#include "base/mem.h"
#include "explore/draw.h"
#include "explore/strategy.h"

struct wishful {
    struct strategy s;
    struct wish_job *wishes;
    bool (*standing)(void *context, uint32_t actor, uint64_t *pc, uint64_t *address);
    uint32_t times[WAYPOINTS]; // how often each point's actor has been there
    uint64_t seed;
    struct draw draw;
};

static struct wishful *self(struct strategy *s)
{
    return (struct wishful *)s;
}

// Whether the actor's pending operation is that of the point, whichever time.
static bool is_at(const struct wishful *w, uint32_t point, uint32_t actor)
{
    const struct waypoint *p = &w->wishes->point[point];
    uint64_t pc, address;
    if (p->ends)
        return false;
    return p->actor == actor && exec_is_parked(w->s.exec, actor) && w->standing(NULL, actor, &pc, &address) &&
           pc == p->pc && address >> 3 == p->address >> 3;
}

static bool stands_at(const struct wishful *w, uint32_t point, uint32_t actor)
{
    return w->times[point] + 1 == w->wishes->point[point].nth && is_at(w, point, actor);
}

static bool is_passed(const struct wishful *w, uint32_t point)
{
    const struct waypoint *p = &w->wishes->point[point];
    return p->ends ? w->s.exec->actors[p->actor].state == ACTOR_ENDED : w->times[point] >= p->nth;
}

static bool waits(const struct wishful *w, uint32_t actor)
{
    const struct wish_job *wishes = w->wishes;
    if (wishes->fulfilled || wishes->gave_up)
        return false;
    for (uint32_t i = 0; i < wishes->pair_count; i++)
        if (!is_passed(w, wishes->pair[i].before) && stands_at(w, wishes->pair[i].after, actor))
            return true;
    for (uint32_t i = 0; !wishes->pair_count && i < wishes->count; i++)
        if (stands_at(w, i, actor))
            return true;
    return false;
}

static bool can_go(const struct wishful *w, uint32_t actor)
{
    return actor < w->s.exec->known && can_run(&w->s, actor) && !waits(w, actor);
}

// Somebody of whom something is still wished, before others. With an odd seed those are asked first who come last otherwise: somebody who
// waits where it is wished may hold a lock that another one needs on its way.
static int preferred(const struct wishful *w)
{
    const struct wish_job *wishes = w->wishes;
    uint32_t count = wishes->pair_count ? 2 * wishes->pair_count : wishes->count;
    for (uint32_t n = 0; n < count; n++) {
        uint32_t i = w->seed % 2 ? count - 1 - n : n, point = i;
        if (wishes->pair_count)
            point = i % 2 ? wishes->pair[i / 2].after : wishes->pair[i / 2].before;
        if (!is_passed(w, point) && can_go(w, wishes->point[point].actor))
            return (int)wishes->point[point].actor;
    }
    return -1;
}

// Any other that can go: the last one to run, the lowest, or a drawn one. With a seed a wish is not always followed at once, since
// another thread may have to come first.
static int anybody(struct wishful *w)
{
    const struct exec *x = w->s.exec;
    uint32_t ready[MAX_ACTORS], count = 0;
    for (uint32_t actor = 0; actor < x->known; actor++)
        if (can_go(w, actor))
            ready[count++] = actor;
    if (!count)
        return -1;
    if (w->seed)
        return (int)ready[draw_below(&w->draw, count)];
    uint32_t last = exec_last_to_run(x);
    return (int)(can_go(w, last) ? last : ready[0]);
}

static void note_meeting(struct wishful *w)
{
    struct wish_job *wishes = w->wishes;
    if (wishes->pair_count || wishes->fulfilled || wishes->gave_up)
        return;
    uint32_t here = 0;
    for (uint32_t i = 0; i < wishes->count; i++)
        if (stands_at(w, i, wishes->point[i].actor)) {
            wishes->passed |= 1u << i;
            here++;
        }
    wishes->fulfilled = here == wishes->count;
}

static void note_step(struct wishful *w, uint32_t actor)
{
    struct wish_job *wishes = w->wishes;
    uint32_t passed = 0;
    for (uint32_t i = 0; i < wishes->count; i++) {
        w->times[i] += is_at(w, i, actor);
        if (is_passed(w, i)) {
            wishes->passed |= 1u << i;
            passed++;
        }
    }
    if (wishes->pair_count && passed == wishes->count && !wishes->gave_up)
        wishes->fulfilled = 1;
}

// Whom a signal wakes is drawn from the second run on; everything else goes its first way.
static uint16_t outcome_of(struct wishful *w, uint32_t actor)
{
    const struct op *op = &w->s.exec->actors[actor].pending;
    bool draws = w->seed && op->kind == OP_SIGNAL && op->alternatives > 1;
    return draws ? (uint16_t)draw_below(&w->draw, op->alternatives) : 0;
}

static bool wishful_pick(struct strategy *s, struct step *next)
{
    struct wishful *w = self(s);
    note_meeting(w);
    bool waits_for_wishes = !w->wishes->fulfilled && !w->wishes->gave_up;
    bool follow = !w->seed || draw_below(&w->draw, 8) != 0;
    int actor = waits_for_wishes && follow ? preferred(w) : -1;
    if (actor < 0)
        actor = anybody(w);
    if (actor < 0 && waits_for_wishes && lowest_ready(s) >= 0) {
        w->wishes->gave_up = 1;
        actor = anybody(w);
    }
    if (actor < 0)
        return false;
    note_step(w, (uint32_t)actor);
    *next = (struct step){(uint16_t)actor, outcome_of(w, (uint32_t)actor)};
    return true;
}

static bool wishful_next(struct strategy *s, uint32_t *depth)
{
    (void)s;
    (void)depth;
    return false;
}

static void wishful_free(struct strategy *s)
{
    mem_release(s, sizeof(struct wishful));
}

struct strategy *wishful_new(struct target *target, const struct strategy_options *options)
{
    struct wishful *w = mem_reserve(sizeof *w);
    w->s = (struct strategy){.name = "wishful",
                             .target = target,
                             .exec = target->exec,
                             .pick = wishful_pick,
                             .next = wishful_next,
                             .free = wishful_free};
    w->wishes = options->wishes;
    w->standing = options->standing;
    w->seed = options->seed;
    w->wishes->fulfilled = w->wishes->gave_up = w->wishes->passed = 0;
    draw_begin(&w->draw, w->seed, 0);
    return &w->s;
}
