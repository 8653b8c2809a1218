// Random walks: at every event a uniform choice among what can run and, where there is a choice of outcomes, among
// those. Execution number k of seed s depends on s and k only, so each can be run again alone.
#include "base/mem.h"
#include "explore/draw.h"
#include "explore/strategy.h"

struct random {
    struct strategy s;
    uint32_t root;
    const struct step *prefix;
    uint64_t seed, run, runs;
    struct draw draw;
};

static struct random *self(struct strategy *s)
{
    return (struct random *)s;
}

// One of the actors that can run, each with the same probability; -1 if there is none. It draws from all parked actors until one can
// run: that asks far fewer of them than finding all that can.
static int draw_ready(struct random *r)
{
    const struct exec *x = r->s.exec;
    uint16_t parked[MAX_ACTORS];
    uint32_t n = 0;
    for (uint32_t word = 0; word * 64 < x->known; word++)
        for (uint64_t bits = x->parked[word]; bits; bits &= bits - 1)
            parked[n++] = (uint16_t)(word * 64 + (uint32_t)__builtin_ctzll(bits));
    while (n) {
        uint32_t i = draw_below(&r->draw, n);
        if (r->s.target->ready(r->s.target, parked[i]))
            return parked[i];
        parked[i] = parked[--n];
    }
    return -1;
}

static bool random_pick(struct strategy *s, struct step *next)
{
    struct random *r = self(s);
    if (s->exec->count < r->root) {
        *next = r->prefix[s->exec->count];
        return true;
    }
    int actor = draw_ready(r);
    if (actor < 0)
        return false;
    next->actor = (uint16_t)actor;
    uint32_t alternatives = s->exec->actors[next->actor].pending.alternatives;
    next->alternative = (uint16_t)draw_below(&r->draw, alternatives);
    return true;
}

static bool random_next(struct strategy *s, uint32_t *depth)
{
    struct random *r = self(s);
    if (++r->run >= r->runs)
        return false;
    draw_begin(&r->draw, r->seed, r->run);
    *depth = r->root;
    return true;
}

static void random_free(struct strategy *s)
{
    mem_release(s, sizeof(struct random));
}

struct strategy *random_new(struct target *target, const struct strategy_options *options)
{
    struct random *r = mem_reserve(sizeof *r);
    r->s = (struct strategy){.name = "random",
                             .target = target,
                             .exec = target->exec,
                             .pick = random_pick,
                             .next = random_next,
                             .free = random_free};
    r->root = options->root;
    r->prefix = options->prefix;
    r->seed = options->seed;
    r->runs = options->runs;
    draw_begin(&r->draw, r->seed, r->run);
    return &r->s;
}
