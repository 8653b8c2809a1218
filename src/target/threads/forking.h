// Each execution in a process of its own, forked where main would begin: for programs that do what memory cannot undo.
//
// The worker stops before main and stays there, as the *origin*; every execution runs in a child of it, whose memory,
// descriptors and working directory are as at that point. What heddle knows (its own data, everything mem_reserve gives,
// and the stack on which the search runs) is shared by all of them, so the search itself goes on from process to process
// as if there were only one.
#ifndef TARGET_FORKING_H
#define TARGET_FORKING_H

#include <stdbool.h>
#include <sys/types.h>

// Makes heddle's own memory shared. Before anything is reserved.
void forking_prepare(void);

// Runs `search` in children, and comes back when it has returned. A child that dies takes this process with it in the same
// way. False if a child had to be ended because it waited in a system call; engine.unsupported says so.
bool forking_run(void (*search)(void *context), void *context);

// Called by the search: ends this process, and comes back in a fresh one.
void forking_again(void);

// fork, without the handlers that the program has registered.
pid_t forking_plainly(void);

// Called in a process that the program has forked: from here on it is none of heddle's.
void forking_leave(void);

#endif
