// Whose write it was that undo missed: a later attempt, which goes back by running again, watches the place. A step in which it
// changes and whose part of the log does not have it is the one; that step is run once more, an instruction at a time, to
// see which it is.
//
// To run a step one instruction at a time, it uses the processor's trap flag.
#ifndef TARGET_WATCH_H
#define TARGET_WATCH_H

#include <stdint.h>

#include "model/missed.h"

// From now on, until it is found (engine.watching).
void watch_begin(const struct missed *place);

// Before step number `event`, and at the end of an execution of that many events.
void watch_look(uint32_t event);

// At the end of an execution, while engine.watching: runs it again if the write was in it. Then `engine.missed` knows who wrote.
void watch_pin_down(void);

// Before the steps are repeated, with 0, and before step number `event` of them, with one more than that.
void watch_repeated(uint32_t event);

#endif
