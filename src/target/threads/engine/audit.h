// The audit of going back by the log of writes: whether the memory that undo left is what the same steps make of it when
// they are run again from the beginning of main. It is not if a write was missed: by a compiler that put no hook in front of
// it, by a library that heddle takes for something simpler, or by heddle itself.
//
// It is made at branches that a seeded draw chooses, at the last one, and at the end, where everything is taken back and
// compared with the image. (The end alone would not do: what a write that heddle saw has touched earlier is put back with that.)
// What it costs is counted in steps and bytes, never in time, so that it falls on the same branches each time.
//
// Nothing else proves that no write is missed: compilers leave out hooks, and libraries do more than a table says. The
// first few restarts of a search are all audited, then as many as cost about one step in a hundred. After an audit the
// search goes on from the fresh run. The last and the first branch are audited after the last execution. A write that
// the log does not have, but that was made before the first thread was created, does no harm: nothing can race with it.
// No part of this touches what happens for each event or write.
//
// Some memory differs and means nothing. Frames have gaps that nobody set, which hold what was on the stack before
// (audit.c says how these are told apart). A frame may also hold what a register happened to have in it. So a stack
// that differs leads to replay, but counts as a missed write only if somebody is seen to write there. For the same
// reason fibers begin with clear registers.
#ifndef TARGET_AUDIT_H
#define TARGET_AUDIT_H

#include <stdbool.h>
#include <stdint.h>

enum audit_mode { AUDIT_SOMETIMES, AUDIT_NEVER, AUDIT_ALWAYS };

// Once the image is taken and the way to go back is chosen. Where memory does not go back by the log nothing is audited.
void audit_begin(enum audit_mode mode, uint64_t seed);

// The search has gone back to its first `events` events by the log, and it is this branch's turn (engine.next_audit). Runs them
// again; the search goes on from there. If memory was another, `engine.missed` says where, and the search has to begin anew.
void audit_branch(uint32_t events);

// In front of main (step 0) and of each step that is repeated, while engine.fills_stacks.
void audit_fill_stacks(uint32_t step);

// The first thread is created, while engine.begins_threads.
void audit_first_thread(void);

// After the last execution: at the last branch, the first one, and the beginning of main. The execution is gone then.
void audit_end(bool whatever_it_costs);

#endif
