// One execution, in which the actor with the highest number that can run goes on.
#include "base/mem.h"
#include "explore/strategy.h"

static bool last_pick(struct strategy *s, struct step *next)
{
    for (uint32_t actor = s->exec->known; actor-- > 0;) {
        if (!can_run(s, actor))
            continue;
        *next = (struct step){(uint16_t)actor, 0};
        return true;
    }
    return false;
}

static bool last_next(struct strategy *s, uint32_t *depth)
{
    (void)s;
    (void)depth;
    return false;
}

static void last_free(struct strategy *s)
{
    mem_release(s, sizeof *s);
}

struct strategy *last_new(struct target *target, const struct strategy_options *options)
{
    (void)options;
    struct strategy *s = mem_reserve(sizeof *s);
    *s = (struct strategy){.name = "last",
                           .target = target,
                           .exec = target->exec,
                           .pick = last_pick,
                           .next = last_next,
                           .free = last_free};
    return s;
}
