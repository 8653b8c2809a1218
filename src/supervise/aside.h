// Bugs that are tolerated are taken out of a job once they are ruled on, with their schedules: whatever they are, there is
// room for others.
#ifndef SUPERVISE_ASIDE_H
#define SUPERVISE_ASIDE_H

#include "supervise/outcome.h"

// Takes bug number `which`, which was examined, out of the job, and lists it once among those that are tolerated. False if
// there is no room to remember it: then it stays.
bool aside_put(struct outcome_room *o, struct job *job, uint32_t which);

// Gives back the room that the schedules of bugs took which are not there any more.
void aside_tidy(struct job *job);

// Lists a bug that stays in the job among those that are tolerated.
void aside_list(struct outcome_room *o, const struct examined *x);

void aside_free(struct outcome_room *o);

#endif
