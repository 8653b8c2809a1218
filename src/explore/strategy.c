#include "explore/strategy.h"

#include <string.h>

const struct strategy_traits strategy_table[STRATEGIES] = {
    [STRATEGY_OPTIMAL] = {"optimal", STRATEGY_FOR_PROGRAMS | STRATEGY_FOR_CLUSTERS, optimal_new, .any_order = true,
                          .joins_late = true, .estimates = true, .divides = true},
    [STRATEGY_DPOR] = {"dpor", STRATEGY_FOR_PROGRAMS | STRATEGY_FOR_CLUSTERS, dpor_new, .any_order = true,
                       .counts_what_it_drops = true},
    [STRATEGY_DFS] = {"dfs", STRATEGY_FOR_PROGRAMS | STRATEGY_FOR_CLUSTERS, dfs_new},
    [STRATEGY_BOUNDED] = {"bounded", STRATEGY_FOR_PROGRAMS, bounded_new, .counts_preemptions = true,
                          .counts_what_it_drops = true},
    [STRATEGY_PCT] = {"pct", STRATEGY_FOR_PROGRAMS, pct_new,
                      .samples = "runs with random priorities do not cover everything"},
    [STRATEGY_RANDOM] = {"random", STRATEGY_FOR_PROGRAMS | STRATEGY_FOR_CLUSTERS, random_new,
                         .samples = "random runs do not cover everything"},
    [STRATEGY_POS] = {"pos", STRATEGY_FOR_PROGRAMS, pos_new,
                      .samples = "runs with random priorities do not cover everything"},
    [STRATEGY_FUZZ] = {"fuzz", STRATEGY_FOR_PROGRAMS, fuzz_new,
                       .samples = "runs that look for new reads-from pairs do not cover everything"},
    [STRATEGY_SAMPLE] = {"sample", STRATEGY_FOR_PROGRAMS, sample_new, .samples = "samples do not cover everything"},
    [STRATEGY_STATES] = {"states", STRATEGY_FOR_PROGRAMS, states_new, .matches_states = true},
    [STRATEGY_SPOR] = {"spor", STRATEGY_FOR_PROGRAMS, spor_new, .matches_states = true},
    [STRATEGY_DLSPOR] = {"dlspor", STRATEGY_FOR_PROGRAMS, dlspor_new, .matches_states = true},
    [STRATEGY_SDPOR] = {"sdpor", STRATEGY_FOR_PROGRAMS, sdpor_new, .matches_states = true},
    [STRATEGY_RF] = {"rf", STRATEGY_FOR_PROGRAMS, rf_new, .any_order = true, .counts_what_it_drops = true},
    [STRATEGY_DDPOR] = {"ddpor", STRATEGY_FOR_PROGRAMS, ddpor_new, .any_order = true, .divides = true},
    [STRATEGY_DDPOR_AGGRESSIVE] = {"ddpor-aggressive", STRATEGY_FOR_PROGRAMS, ddpor_aggressive_new, .any_order = true,
                                   .divides = true},
    [STRATEGY_REPLAY] = {"replay", 0, replay_new, .follows_schedule = true},
    [STRATEGY_GUIDED] = {"guided", 0, guided_new, .follows_schedule = true},
    [STRATEGY_REFINED] = {"refined", 0, refined_new, .follows_schedule = true, .counts_preemptions = true},
    [STRATEGY_ATOMIC] = {"atomic", 0, atomic_new, .any_order = true},
    [STRATEGY_CLIENT_STATES] = {"client states", 0, client_states_new},
    [STRATEGY_WISHFUL] = {"wishful", 0, wishful_new},
    [STRATEGY_PORTFOLIO] = {"portfolio", 0},
    [STRATEGY_PATIENT] = {"patient", 0},
};

enum strategy_kind strategy_by_name(const char *name, unsigned offered)
{
    enum strategy_kind kind = 0;
    while (kind < STRATEGIES && (!(strategy_table[kind].offered & offered) || strcmp(name, strategy_table[kind].name)))
        kind++;
    return kind;
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
