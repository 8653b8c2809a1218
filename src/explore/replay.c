// One execution: the steps of a given schedule for as long as they fit, then the usual choice.
#include "base/mem.h"
#include "explore/strategy.h"

struct replay {
    struct strategy s;
    uint32_t root;
    const struct step *prefix;
};

static bool can_follow(const struct strategy *s, struct step step)
{
    return step.actor < s->exec->known && can_run(s, step.actor) &&
           step.alternative < s->exec->actors[step.actor].pending.alternatives;
}

static bool replay_pick(struct strategy *s, struct step *next)
{
    struct replay *r = (struct replay *)s;
    uint32_t at = s->exec->count;
    if (at < r->root && can_follow(s, r->prefix[at])) {
        *next = r->prefix[at];
        return true;
    }
    if (at < r->root && !s->redundant)
        s->redundant = at + 1; // where the program first did something else
    int actor = usual_choice(s);
    if (actor < 0)
        return false;
    *next = (struct step){(uint16_t)actor, 0};
    return true;
}

static bool replay_next(struct strategy *s, uint32_t *depth)
{
    (void)s;
    (void)depth;
    return false;
}

static void replay_free(struct strategy *s)
{
    mem_release(s, sizeof(struct replay));
}

struct strategy *replay_new(struct target *target, const struct strategy_options *options)
{
    struct replay *r = mem_reserve(sizeof *r);
    r->s = (struct strategy){.name = "replay",
                             .target = target,
                             .exec = target->exec,
                             .pick = replay_pick,
                             .next = replay_next,
                             .free = replay_free};
    r->root = options->root;
    r->prefix = options->prefix;
    return &r->s;
}
