// What of a node decides its future: everything, but for what the protocol calls auxiliary (its member `auxiliary`) or brings to one
// value where it does not matter any more (`forget`), and what its code never reads (build/assembly/assembly_unread.h). Seed 000,
// Definition 1: if two states are equal in what is relevant, the same can happen in both, with the same predicates, and leads to
// states that are equal in that. What is declared is assumed, and an audit looks into it (cluster/forgotten.h); what is never
// read is proved.
#ifndef NODES_RELEVANT_H
#define NODES_RELEVANT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Null, or a sentence about what is wrong with what the protocol declares.
const char *relevant_open(void);

void relevant_close(void);

// Whether less than everything counts, and whether that is so because something is declared.
bool relevant_is_less(void);
bool relevant_is_assumed(void);

// From now on everything counts in world_hash, so that states are told apart that differ in what is declared.
void relevant_count_all(bool all);
bool relevant_counts_all(void);

// Hands the bytes of a node that count to `take`, piece by piece; of the whole node, all of them.
typedef void relevant_take(void *context, const void *bytes, size_t size);
void relevant_spell(int node, bool whole, relevant_take *take, void *context);

// Predicates see the last report of a node that is down, but its memory is gone, and so `forget` can no longer be asked what of that
// report counts. It is asked while the node crashes, and nodes that change places take the answer along.
void relevant_crash(int node);
void relevant_rename_forgotten(int node, int *to);

// The same as one number. The one of the whole node is node_hash (world.h).
uint64_t relevant_hash(int node);

// Hands what does not count since nothing reads it to `take`: parts of the protocol's own segment.
void relevant_each_unread(relevant_take *take, void *context);

#endif
