#include "explore/strategy.h"

#include <string.h>

struct strategy *strategy_new(const char *name, struct target *target, const struct strategy_options *options)
{
    static const struct {
        const char *name;
        struct strategy *(*make)(struct target *, const struct strategy_options *);
    } known[] = {
        {"optimal", optimal_new}, {"dpor", dpor_new}, {"dfs", dfs_new},       {"bounded", bounded_new},
        {"random", random_new},   {"pct", pct_new},   {"replay", replay_new}, {"guided", guided_new},
        {"atomic", atomic_new},   {"states", states_new}, {"refined", refined_new},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!strcmp(name, known[i].name))
            return known[i].make(target, options);
    return NULL;
}

int lowest_ready(const struct strategy *s)
{
    int joiner = -1;
    for (uint32_t word = 0; word * 64 < s->exec->known; word++) {
        for (uint64_t bits = s->exec->parked[word]; bits; bits &= bits - 1) {
            uint32_t actor = word * 64 + (uint32_t)__builtin_ctzll(bits);
            if (!s->target->ready(s->target, actor))
                continue;
            if (s->exec->actors[actor].pending.kind != OP_JOIN)
                return (int)actor;
            if (joiner < 0)
                joiner = (int)actor;
        }
    }
    return joiner;
}
