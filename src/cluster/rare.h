// States that samples have reached, each with the path to it, so that later samples can continue from rare ones.
//
// A sample that starts at the beginning reaches a deep bug with the product of the probabilities of all phases before
// it. A sample that continues from a state that another one reached pays for the next phase only.
#ifndef CLUSTER_RARE_H
#define CLUSTER_RARE_H

#include <stdbool.h>
#include <stdint.h>

#include "explore/draw.h"
#include "model/step.h"

struct rare *rare_new(void);
void rare_free(struct rare *rare);

// Keeps the way to the state at hand if nodes have never reported this after so many faults; says whether it does.
bool rare_note(struct rare *rare, struct draw *draw);

// The way to a state that few samples have gone on from; null if there is none. It holds until the next note.
const struct step *rare_choose(struct rare *rare, struct draw *draw, uint32_t *count);

#endif
