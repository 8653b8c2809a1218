// Looks by samples whether states that are taken for the same go on in the same way: the same operations are pending, and the
// same steps lead to the same states (seed 000, Definition 1 of its decomposed states).
//
// Of some states it is kept what was pending and where steps led. From such a state, when it is come to again, steps that were taken
// before are taken once more, as far as they are known, and compared. Where they differ, something matters to what the program does that is no part of states: memory that it wants to be ignored, as a rule.
#ifndef EXPLORE_STATE_AUDIT_H
#define EXPLORE_STATE_AUDIT_H

#include "explore/strategy.h"

enum { AUDIT_RANGES = 64 };

struct state_audit;

struct state_audit *state_audit_new(const struct strategy_options *options);
void state_audit_free(struct state_audit *a);

// States are no longer what they were: forgets all.
void state_audit_renew(struct state_audit *a);

// The present state is new.
void state_audit_enter(struct state_audit *a, const struct strategy *s, struct fingerprint key);

// A step led from one state to another.
void state_audit_step(struct state_audit *a, struct fingerprint from, struct step step, struct fingerprint to);

// The present state was entered before: whether it is what it was. Takes steps, and goes back. If it is not, `differ` has a bit for
// each range of ignored memory that held something else then.
bool state_audit_same(struct state_audit *a, struct strategy *s, struct fingerprint key, uint64_t *differ);

#endif
