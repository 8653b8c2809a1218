// Histories of a user's model, of which nothing is known but what it answers.
//
// First all states are written down that the operations can lead to, if they are few (reachable.h). They show which operations
// only read, whether the model is a register under another name (as_register.h), and often that there is no order, however
// many clients there are (possible.h). What that does not decide is searched: for an order first, guessing what only reads.
#ifndef HISTORY_OWN_MODEL_H
#define HISTORY_OWN_MODEL_H

#include "history/judge.h"

// As judge_part. Without `shortcuts` a yes comes with an order.
struct part_verdict own_model_judge(struct linearizer *z, const struct spec *spec, const struct operation *ops,
                                    uint32_t count, const struct lin_options *options, bool shortcuts);

// Which operations only read, as far as the model says so or their few states show it.
void own_model_reads(const struct linearizer *z, const struct spec *spec, const struct operation *ops, uint32_t count,
                     const struct lin_options *options, bool *reads);

#endif
