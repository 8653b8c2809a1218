// Blocks of code without interruption, as the job says (model/blocks.h): which events belong together.
//
// Ranges of addresses say which events belong to one block. Executions with blocks are judged by the order in which
// each block is one event; that order is kept here too.
#ifndef TARGET_BLOCKS_H
#define TARGET_BLOCKS_H

#include "model/blocks.h"
#include "target/threads/engine/sites.h"

// From now on these are the blocks.
void blocks_use(const struct block_job *blocks);
bool blocks_used(void);

// The thread is about to have the event, at `site`: the first event of its block.
uint32_t blocks_enter(struct thread *t, const struct site *site, uint32_t event);

// Whether the thread's request belongs to the block that its last event was in.
bool blocks_goes_on(const struct thread *t);

// Clocks of the execution with its blocks as one event each; good until the next step. Lanes are numbers of events as
// in exec.
void blocks_order(void);

// Whether the event of that number was, with its block, known to the one with number `later` and its block.
bool blocks_know(uint32_t later, uint32_t actor, uint32_t index);

#endif
