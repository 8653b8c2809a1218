#include "explore/strategy.h"

#include <string.h>

const struct strategy_traits strategy_table[STRATEGIES] = {
    [STRATEGY_OPTIMAL] = {"optimal", optimal_new, .any_order = true, .joins_late = true, .estimates = true},
    [STRATEGY_DPOR] = {"dpor", dpor_new, .any_order = true, .counts_what_it_drops = true},
    [STRATEGY_DFS] = {"dfs", dfs_new},
    [STRATEGY_BOUNDED] = {"bounded", bounded_new, .counts_preemptions = true, .counts_what_it_drops = true},
    [STRATEGY_PCT] = {"pct", pct_new, .samples = "runs with random priorities do not cover everything"},
    [STRATEGY_RANDOM] = {"random", random_new, .samples = "random runs do not cover everything"},
    [STRATEGY_REPLAY] = {"replay", replay_new, .follows_schedule = true},
    [STRATEGY_GUIDED] = {"guided", guided_new, .follows_schedule = true},
    [STRATEGY_REFINED] = {"refined", refined_new, .follows_schedule = true, .counts_preemptions = true},
    [STRATEGY_ATOMIC] = {"atomic", atomic_new, .any_order = true},
    [STRATEGY_STATES] = {"states", states_new},
    [STRATEGY_PORTFOLIO] = {"portfolio"},
    [STRATEGY_PATIENT] = {"patient"},
};

struct strategy *strategy_named(const char *name, struct target *target, const struct strategy_options *options)
{
    for (uint32_t i = 0; i < STRATEGIES; i++)
        if (strategy_table[i].make && !strcmp(name, strategy_table[i].name))
            return strategy_table[i].make(target, options);
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
