// Each execution in a process of its own, forked where main would begin: for programs that do what memory cannot undo.
//
// The worker stops before main and stays there, as the *origin*; every execution runs in a child of it, whose memory,
// descriptors and working directory are as at that point. What heddle knows (its own data, everything mem_reserve gives,
// and the stack on which the search runs) is shared by all of them, so the search itself goes on from process to process
// as if there were only one.
//
// On long paths the processes are a chain: at a *checkpoint* the one that runs stays as it is, and a child of it goes on.
// To go back to an event, all below the last checkpoint before it end, and that one forks anew.
//
// How the search survives: forking_prepare maps the writable segment of the runtime anew as shared memory with the same
// contents, and mem_reserve takes everything from one shared reservation that is made before the first fork, so that
// what one process reserves is there in the next. The program's memory, the C library's and the arena stay private. The
// search runs on a stack in shared memory. To begin again it calls forking_again: that switches to the process's own
// stack, which exits; the origin forks; and the new child switches to the search's stack and *returns from the same
// call*, in fresh memory. Neither the strategies nor the search know of it.
//
// - Everything that changed is popped from the undo log before, in the old process, where it is all mapped.
// - PROCESS_STATE marks what belongs to one process: threads that lend their blocks, mappings, how much of the boot
//   heap is used. Each child finds it as it was before the first fork. A descriptor or mapping that the runtime makes
//   lazily must be marked so.
// - Timers and PR_SET_PDEATHSIG are not inherited; be_child sets them.
// - The origin must not call anything interposed while a child runs, since engine.running is shared: it goes through
//   NATIVE.
// - A child that dies takes the origin with it in the same way (end_like), so the supervisor sees what it always sees.
//   A child that uses no processor time for three seconds while a thread of the program runs waits in a system call
//   (`await`).
//
// To restart at event k with checkpoints, the undo log is popped to the last usable checkpoint before k. (A checkpoint is
// of no use to a path on which a thread joined another right after it.) That puts back
// what heddle knows, which is shared; what it writes into the dying process's own memory does not matter. The program's
// memory was never touched at that level. A level keeps PROCESS_STATE and PROGRAM_STATE on its own stack. Files,
// offsets and sockets are shared by all levels, so a call to the outside *spoils* the checkpoints before it; after a
// process was started or shared memory mapped, none is made. Checkpoints are a sixteenth of the longest execution
// apart, at least 1024 events (4 with `--restart checkpoint`), and twice as far when they were made in vain: deep
// chains make forks slow. Undo needs no such thing. Where replay would repeat more than 8000 events, the search begins
// anew with checkpoints (the lesson `long_prefix`).
//
// If the program itself forks and shares memory, the copy belongs to the execution (engine/forked.h). It waits on a small
// stack of its own until the search is to go on there; then the other waits, on the stack on which it was begun. Only one
// of them runs at a time, so what they share needs no lock. What the runtime keeps for the program is put in place
// whenever the search changes processes. Only the first process ends the execution; the others are killed with it.
//
// If it shares none (outside/processes.c), the copy makes its heddle private again and engine.running null
// (forking_leave). From there on it runs as if without heddle.
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

// The world outside changes now, so the search cannot go back to any checkpoint made so far.
void forking_spoil(void);

// Goes on in that process of the execution: 0 is the one that began it, others the program has forked.
void forking_enter(uint32_t process);

// Whether the address lies in heddle's own data, which all these processes share.
bool forking_shares(uint64_t address);

// Called on a thread's stack, which the new process has a copy of: makes that process, which waits until the search enters it.
// Comes back twice: true at once, and false in the new process when the copy is resumed from where `sp` then says.
bool forking_copy(uint32_t process, void **sp);

// fork, without the handlers that the program has registered.
pid_t forking_plainly(void);

// Called in a process that the program has forked: from here on it is none of heddle's.
void forking_leave(void);

#endif
