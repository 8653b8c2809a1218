// Functions of the C library that protocols call, and whether they keep anything from one call to the next. What a function keeps is there
// once for all nodes, belongs to no state, and is not taken back.
#ifndef NODES_NODE_CALLS_H
#define NODES_NODE_CALLS_H

#include <stdbool.h>

// What to use instead of a call that heddle does not allow; null: there is nothing against it.
const char *node_call_instead(const char *name);

// Whether it is known to keep nothing that matters.
bool node_call_is_stateless(const char *name);

#endif
