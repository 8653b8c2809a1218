// Partial order sampling (Yuan, Yang, Gu, CAV 2018): every operation that an actor is about to do has a random priority, and
// the highest that can run does. An operation whose rival has just run, one that it depends on, draws a new priority: or
// what lost one race would be likely to lose the next one as well. So all traces of a program with few dependent
// operations come about equally often, where random walks prefer some of them by far.
//
// Operations depend by the strongest effect they can have, as they have not been executed yet. Outcomes that the search may
// choose are drawn uniformly.
#include "base/mem.h"
#include "explore/draw.h"
#include "explore/strategy.h"

struct pos {
    struct strategy s;
    uint32_t root;
    const struct step *prefix;
    uint64_t seed, run, runs;
    struct draw draw;
    uint64_t priority[MAX_ACTORS]; // of the pending operation; 0: not drawn yet
};

static struct pos *self(struct strategy *s)
{
    return (struct pos *)s;
}

static void begin(struct pos *p)
{
    draw_begin(&p->draw, p->seed, p->run);
    for (uint32_t i = 0; i < MAX_ACTORS; i++)
        p->priority[i] = 0;
}

static uint64_t priority(struct pos *p, uint32_t actor)
{
    if (!p->priority[actor])
        p->priority[actor] = draw_word(&p->draw) | 1;
    return p->priority[actor];
}

static bool is_rival(const struct op *op, const struct event *e)
{
    return ops_depend(op_table[op->kind].at_most, op->object, (enum effect)e->effect, e->object);
}

// The newest event took its actor's priority with it, and those of its rivals.
static void draw_anew(struct pos *p)
{
    const struct exec *x = p->s.exec;
    if (x->count <= p->root)
        return;
    const struct event *e = &x->events[x->count - 1];
    p->priority[e->actor] = 0;
    for (uint32_t word = 0; word * 64 < x->known; word++)
        for (uint64_t bits = x->parked[word]; bits; bits &= bits - 1) {
            uint32_t actor = word * 64 + (uint32_t)__builtin_ctzll(bits);
            if (is_rival(&x->actors[actor].pending, e))
                p->priority[actor] = 0;
        }
}

static int highest(struct pos *p)
{
    const struct exec *x = p->s.exec;
    int best = -1;
    for (uint32_t word = 0; word * 64 < x->known; word++)
        for (uint64_t bits = x->parked[word]; bits; bits &= bits - 1) {
            uint32_t actor = word * 64 + (uint32_t)__builtin_ctzll(bits);
            uint64_t own = priority(p, actor);
            if ((best < 0 || own > p->priority[best]) && p->s.target->ready(p->s.target, actor))
                best = (int)actor;
        }
    return best;
}

static bool pos_pick(struct strategy *s, struct step *next)
{
    struct pos *p = self(s);
    uint32_t at = s->exec->count;
    if (at < p->root) {
        *next = p->prefix[at];
        return true;
    }
    draw_anew(p);
    int actor = highest(p);
    if (actor < 0)
        return false;
    next->actor = (uint16_t)actor;
    next->alternative = (uint16_t)draw_below(&p->draw, s->exec->actors[actor].pending.alternatives);
    return true;
}

static bool pos_next(struct strategy *s, uint32_t *depth)
{
    struct pos *p = self(s);
    if (++p->run >= p->runs)
        return false;
    begin(p);
    *depth = p->root;
    return true;
}

static void pos_free(struct strategy *s)
{
    mem_release(s, sizeof(struct pos));
}

struct strategy *pos_new(struct target *target, const struct strategy_options *options)
{
    struct pos *p = mem_reserve(sizeof *p);
    p->s = (struct strategy){
        .name = "pos", .target = target, .exec = target->exec, .pick = pos_pick, .next = pos_next, .free = pos_free};
    p->root = options->root;
    p->prefix = options->prefix;
    p->seed = options->seed;
    p->runs = options->runs;
    begin(p);
    return &p->s;
}
