// Processes that the program forks and that share memory with it (mmap with MAP_SHARED): actors of the same search.
//
// Each execution is a process of its own where a program forks (memory/forking.h), and all that heddle knows lies in memory
// that such processes share. So a process that the program forks need not leave the search: it is an actor whose steps are
// taken in another process of the kernel. Its memory is a copy because the kernel makes one; what was mapped as shared is
// shared because the kernel shares it. Before a step the search goes on in the process of whoever takes it (forking_enter),
// on the same stack, so nothing of another process's memory is ever looked at.
//
// An address means one thing in each process, unless it is shared. What the engine keeps by address is therefore kept for
// a process (forked_place): locks and atomic variables of its own begin as copies of those it was forked with. Races and
// uses of freed memory are looked for in shared memory and in what the process allocated itself, not in its copy of
// what was there before (forked_hides): a process with one thread has no races there. That is an assumption of the verdict.
//
// What is not followed in such a process, and ends the search: threads, pipes and the like, futexes, mappings, other
// programs, handlers at exit. Nor is a process followed that shares no memory: it runs on its own (outside/processes.c).
//
// The end of a process is an event on one object, and so is waiting for it. Whoever waits and finds nobody falls asleep
// (sleep.h). A process whose parent has ended runs on, as in the kernel; the execution is over when all have ended.
#ifndef TARGET_FORKED_H
#define TARGET_FORKED_H

#include <sys/types.h>

#include "target/threads/engine/engine.h"

enum { FIRST_PROCESS = 5000 }; // what getpid gives in the process that began; as good as any

// Whether a process that is forked now is followed.
bool forked_follows(void);

// The running thread is copied into a new process. Returns as fork does, in both.
pid_t forked_start(struct thread *t, const void *pc);

// The running thread ends its process, of which there are several. Returns if this is the only one that is left.
void forked_end(struct thread *t, int status, const void *pc);

// Whether the process has children that it has not waited for, so that waiting is a matter of the search.
bool forked_has_children(const struct thread *t);

// waitpid.
pid_t forked_wait(struct thread *t, pid_t which, int *status, int options, const void *pc);

// Whether a number is that of a process that is followed; the numbers of the process that runs and of its parent.
bool forked_is_process(pid_t number);
pid_t forked_number(void);
pid_t forked_parent(void);

// How many handlers were registered when the process of the thread was forked.
uint64_t forked_handlers(const struct thread *t);

// Whether the address lies in the process's own copy of memory that was there before it was forked. Only where
// engine.process is not 0.
bool forked_copied(uint64_t address);

static inline bool forked_hides(uint64_t address)
{
    return unlikely(engine.process) && forked_copied(address);
}

// Whether another process than that of the thread has used the object while there were several.
bool forked_is_another_user(const struct thread *t, uint32_t number);

// Whether the process of the thread has no other thread.
bool forked_is_single(const struct thread *t);

// Ends the search if the thread is in a process that the program forked.
void forked_refuse(struct thread *t, const char *what);

#endif
