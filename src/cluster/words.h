// Events and states in words.
#ifndef CLUSTER_WORDS_H
#define CLUSTER_WORDS_H

#include <stddef.h>

#include "target/nodes/world.h"

// "vote(3) from node 1", "timer 0", …; messages as the protocol shows them, or by their bytes.
void words_of_entry(const struct channel *channel, const struct entry *entry, char *text, size_t room);

// The message alone.
void words_of_message(const struct entry *entry, char *text, size_t room);

// What the node reported last, as the protocol shows it; empty if it does not.
void words_of_state(int node, char *text, size_t room);

#endif
