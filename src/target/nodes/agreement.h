// The quorum tree of an execution: what nodes tell of their rounds (heddle_qtree_add, heddle_qtree_commit), watched by the monitor
// of consensus/quorum_tree.h. It belongs to no node and outlives crashes. An event that disagrees with an earlier one is the world's
// failure.
//
// The tree is part of the state: of two executions that come to the same nodes with different trees, one may still fail where the
// other does not. What came first is no part of it, since only the set of events decides what may follow. Two events of nodes that
// both tell something are compared like events of one node; of others nothing changes.
#ifndef NODES_AGREEMENT_H
#define NODES_AGREEMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "consensus/qtree_words.h"

// Empty, for the protocol of the world that is being opened.
void agreement_open(void);
void agreement_close(void);

// Whether the protocol tells of rounds at all.
bool agreement_is_watched(void);

uint64_t agreement_hash(void); // 0 if nothing was told

// How often nodes have told something, ever, and in trials too.
uint64_t agreement_told(void);

// For reports: what there is now, and the last violation.
const struct qtree *agreement_tree(void);
const struct qtree_violation *agreement_violation(void);
extern const struct qtree_names agreement_names;

#endif
