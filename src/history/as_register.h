// Models that are registers under another name: every operation sets the state to a certain one, or is possible in one state only,
// or in all but one, where it changes nothing. Such histories can be decided as those of registers are, without a search.
#ifndef HISTORY_AS_REGISTER_H
#define HISTORY_AS_REGISTER_H

#include "history/reachable.h"

// Unknown if it is something else, or registers are not decided that way either. Uses the whole space.
enum verdict as_register_check(struct space *space, const struct reachable *r, const struct operation *ops,
                               uint32_t count, const struct lin_options *options);

#endif
