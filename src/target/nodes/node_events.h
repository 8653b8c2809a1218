// What an event does at its node: the callbacks, crashes and what they do to the disk; and what a node may call.
#ifndef NODES_NODE_EVENTS_H
#define NODES_NODE_EVENTS_H

#include "target/nodes/world.h"

// Lets an entry of a channel happen at the channel's node. The node's memory has been kept.
void node_event(uint32_t channel, const struct entry *entry, uint32_t alternative);

// Whether the entry finds somebody who takes it; if not, nothing happens, also after other events but faults.
bool node_takes(const struct channel *channel, const struct entry *entry);

// Starts the node with the disk it has.
void node_boot(int node);

// The node as if numbers of nodes were others. Keeps what it changes.
void node_rename(int node, const int *to);

// Lets a timer that is set run out, outside an execution.
void node_expire(int node, int timer);

#endif
