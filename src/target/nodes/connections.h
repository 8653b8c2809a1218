// Connections between nodes, as TCP has them (--order connection). A connection is between two lives of two nodes: what is
// in flight in either direction when one of them crashes may be lost, and is never seen by the life that follows.
//
// Everything is decided at the receiving node, by what is known there, so that events of different nodes stay independent:
//
// - A node sends to the life of the peer that it knows of, and comes to know of the next one when it is told that the
//   connection broke (ENTRY_DOWN, which is put whether or not the protocol wants to know). A message for a life that is
//   over is lost.
// - That the connection broke stands in a channel of its own and may overtake what was sent through it: the rest is lost
//   then. What the next life sends comes after it.
#ifndef NODES_CONNECTIONS_H
#define NODES_CONNECTIONS_H

#include "target/nodes/world.h"

// Where a node is told that the connection to a peer broke.
uint32_t connection_break_channel(int from, int to);

// A message is sent over the connection that the sender knows of.
void connection_send(struct entry *entry, int from, int to);

// Whether the connection over which the message came is still there. One to oneself ends with a crash in every network.
bool connection_holds(int node, const struct entry *entry);

// Whether a node that sends now knows of the receiver's present life.
bool connection_reaches(int from, int to);

// Whether the first entry of the channel cannot happen yet: the receiver does not know of that life of the sender.
bool connection_waits(uint32_t channel);

// What the first entry of the channel needs to have happened: that the life before was over. 0: nothing.
clock_id connection_clock(uint32_t channel);

// A life of the node ends, with all its connections.
void connection_end_all(int node);

// The node comes to know that the peer's life is over, also if it is down itself: when it starts it will connect to the
// next.
void connection_end(int node, int peer);

// How far the lives of a message's connection are from those at hand: all that matters of their numbers.
uint64_t connection_age(int node, const struct entry *entry);

// Whether the order of the first entries of two channels of a node matters whatever the protocol makes of them: one ends
// the connection over which the other came, or to which it sends.
bool connection_orders(uint32_t one, uint32_t other);

void connection_rename(int node, const int *to);

#endif
