#include "cluster/outcome.h"

#include <stdio.h>

#include "cluster/abstraction.h"
#include "cluster/words.h"
#include "target/nodes/renaming.h"

uint64_t outcome_hash(void)
{
    const struct heddle_rules *r = world.library.protocol->rules;
    uint64_t each[MAX_NODES];
    if (!r || !r->outcome)
        return renaming_canonical();
    for (int i = 0; i < world.options.nodes; i++) {
        uint8_t abstract[ABSTRACT] = {0};
        bool up = node_local(i)->up;
        each[i] = up ? abstraction_hash(abstract, r->outcome(world.report[i], abstract)) : 0;
    }
    return abstraction_sum(each, (size_t)world.options.nodes, 0);
}

void outcome_tell(char *text, size_t room)
{
    size_t used = 0;
    for (int i = 0; i < world.options.nodes && used < room; i++) {
        char state[160];
        words_of_state(i, state, sizeof state);
        used += (size_t)snprintf(text + used, room - used, "%s%d %s", i ? "; " : "", i,
                                 !node_local(i)->up ? "down"
                                 : *state           ? state
                                                    : "up");
    }
}
