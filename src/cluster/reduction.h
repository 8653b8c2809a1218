// What a policy says of the state at hand: which events are independent, and what repeats something that was seen
// before.
//
// With `automatic`, two events of one node are independent in a state if both orders lead to the same global state,
// including messages in flight. The answer for a state of the node and two events holds wherever the three meet again.
// A state that was visited before with no more events asleep is a repetition. After a crash, states are compared up to
// renamings of nodes as well (renaming.h): two crashes are alike if everything that remains is.
//
// It is separate from the search so that a second policy can look on (--mark).
#ifndef CLUSTER_REDUCTION_H
#define CLUSTER_REDUCTION_H

#include "cluster/canonical.h"
#include "cluster/forgotten.h"
#include "cluster/circles.h"
#include "cluster/policy.h"
#include "cluster/shared_states.h"
#include "cluster/symmetry.h"
#include "cluster/visited.h"
#include "target/nodes/world.h"

struct reduction {
    struct policy policy;
    struct policy_counts *counts;
    struct pair *pairs; // what was found out about two events of a node
    struct visited visited;
    struct shared_states *shared; // instead of these, or null
    struct symmetry symmetry;
    struct canonical canonical;
    struct forgotten forgotten; // with an audit
};

void reduction_open(struct reduction *reduction, const struct policy *policy, const struct state_keeping *keeping,
                    struct policy_counts *counts);
void reduction_close(struct reduction *reduction);

// Whether the next steps of two actors are independent. Both are events, not choices.
bool reduction_independent(struct reduction *reduction, uint32_t actor, uint32_t other);

// Whether the next step of the actor, with these asleep, is a crash or a reboot that repeats an earlier one. If not, it is
// remembered.
bool reduction_symmetric(struct reduction *reduction, uint32_t actor, const struct actor_set *sleep);

// Audits what is no part of the state at hand, at which nothing is being chosen.
void reduction_audit_state(struct reduction *reduction, uint32_t patience);

// Whether everything from here on was covered when the state was come to before. If not, it is remembered; and if a part was
// covered, less is left to do, and less sleeps (visited.h). `circles` learns of the state; may be null.
bool reduction_was_here(struct reduction *reduction, struct actor_set *untried, struct actor_set *sleep,
                        struct circles *circles);

#endif
