// Random walks: at every event a uniform choice among what can run and, where there is a choice of outcomes, among
// those. Execution number k of seed s depends on s and k only, so each can be run again alone.
#include "base/mem.h"
#include "explore/strategy.h"

struct random {
    struct strategy s;
    uint32_t root;
    const struct step *prefix;
    uint64_t seed, run, runs, state;
};

static struct random *self(struct strategy *s)
{
    return (struct random *)s;
}

// splitmix64
static uint64_t draw(struct random *r)
{
    uint64_t z = r->state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static void begin(struct random *r)
{
    r->state = r->seed;
    r->state = draw(r) + r->run * 0xd1342543de82ef95u;
}

static bool random_pick(struct strategy *s, struct step *next)
{
    struct random *r = self(s);
    if (s->exec->count < r->root) {
        *next = r->prefix[s->exec->count];
        return true;
    }
    uint16_t ready[MAX_ACTORS];
    uint32_t n = 0;
    for (uint32_t actor = 0; actor < s->exec->known; actor++)
        if (can_run(s, actor))
            ready[n++] = (uint16_t)actor;
    if (!n)
        return false;
    next->actor = ready[n == 1 ? 0 : draw(r) % n];
    uint32_t alternatives = s->exec->actors[next->actor].pending.alternatives;
    next->alternative = (uint16_t)(alternatives > 1 ? draw(r) % alternatives : 0);
    return true;
}

static bool random_next(struct strategy *s, uint32_t *depth)
{
    struct random *r = self(s);
    if (++r->run >= r->runs)
        return false;
    begin(r);
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
    begin(r);
    return &r->s;
}
