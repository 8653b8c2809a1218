// Failures that come after another one in the same run, and may well come of it: they are told below it and are no reports of
// their own. What is tolerated leads no one, so that it hides nothing.
#ifndef SUPERVISE_FOLLOWERS_H
#define SUPERVISE_FOLLOWERS_H

#include "supervise/outcome.h"

// The bug, by its number in the job, in whose report number `which` is told: itself if it follows none. NO_LEADER if it is
// not told as a bug at all: it is tolerated, or an earlier one is the same to the user.
enum { NO_LEADER = JOB_BUGS };
uint32_t followers_leader(const struct outcome_room *o, uint32_t which);

// Whether an earlier bug is the same to the user.
bool followers_is_repeated(const struct outcome_room *o, uint32_t which);

// Lists those of bug number `leader`, whose explained run is recorded, in its report: first those of that run, in their order,
// then those that were seen in other runs only.
void followers_add(const struct outcome_room *o, uint32_t leader, struct report_bug *report);

// The number in the job of one that was seen elsewhere.
uint32_t followers_number(const struct outcome_room *o, const struct report_bug *follower);

void followers_free(struct report_bug *report);

#endif
