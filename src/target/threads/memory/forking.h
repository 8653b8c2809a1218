// Each execution in a process of its own, forked where main would begin: for programs that do what memory cannot undo.
//
// The worker stops before main and stays there, as the *origin*; every execution runs in a child of it, whose memory,
// descriptors and working directory are as at that point. What heddle knows (its own data, everything mem_reserve gives,
// and the stack on which the search runs) is shared by all of them, so the search itself goes on from process to process
// as if there were only one.
//
// On long paths the processes are a chain: at a *checkpoint* the one that runs stays as it is, and a child of it goes on.
// To go back to an event, all below the last checkpoint before it end, and that one forks anew.
#ifndef TARGET_FORKING_H
#define TARGET_FORKING_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

// Makes heddle's own memory shared. Before anything is reserved.
void forking_prepare(void);

// Runs `search` in children, and comes back when it has returned. A child that dies takes this process with it in the same
// way. False if a child had to be ended because it waited in a system call; engine.unsupported says so.
bool forking_run(void (*search)(void *context), void *context);

// All of these are called by the search.
//
// Ends this process, and comes back in a fresh one, forked at that level: 0 is where main begins, the others are checkpoints
// of the current path. What heddle knows must be as it was there.
void forking_again(uint32_t level);

// Between two steps: makes a checkpoint here if that is worth it. The process stays as it is and waits; what follows happens
// in a child of it.
void forking_checkpoint(void);

// The last level that a restart to that event can go on from, and the number of events before it.
uint32_t forking_level(uint32_t events);
uint32_t forking_events(uint32_t level);

// What is outside changes now: no checkpoint so far can be gone back to.
void forking_spoil(void);

// fork, without the handlers that the program has registered.
pid_t forking_plainly(void);

// Called in a process that the program has forked: from here on it is none of heddle's.
void forking_leave(void);

#endif
