// Asking what looks at all nodes: `check`, `quiet`, the observer, and whether a request may come.
//
// It is code of the protocol that runs outside of nodes. If it writes to a variable, that is then the variable of the node whose memory is
// at its place, and belongs to no state. So what was there is put back, and `check` and `quiet` are asked again with what they had left:
// if they answer something else, they depend on what they were asked before, which is of another execution mostly, and nothing can be said.
// A buffer for a sentence, or room to count in, makes no difference.
#ifndef NODES_LOOKING_H
#define NODES_LOOKING_H

#include <stdbool.h>

#include "heddle/node.h"

// Null if nothing is wrong or there is no predicate; what it says is copied. A crash is the world's failure.
const char *looking_ask(const char *(*predicate)(const struct heddle_view *view));

// The same of what needs more than a view; it is not asked again.
const char *looking_ask_with(const char *(*ask)(const struct heddle_view *view, void *context), void *context);

// Whether what looks at all nodes has written to variables.
bool looking_writes(void);

// Whether `check` or `quiet` depends on what they wrote there.
bool looking_depends(void);

void looking_close(void);

#endif
