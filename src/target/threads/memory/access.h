// How code that heddle runs on behalf of the program (string functions, stdio, allocation) tells what it touches.
#ifndef TARGET_ACCESS_H
#define TARGET_ACCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Whether this call comes from the program under test while heddle controls it. If not (before main, in a program run
// without heddle, or inside heddle itself) an interposed function must behave exactly as the C library's.
bool under_control(void);

// A read or a write of a range of the program's memory by the running thread, about to happen. `pc` is the return
// address in the program. Must come before the access: it keeps what is overwritten, and it may switch threads.
void access_read(const void *start, size_t size, const void *pc);
void access_write(void *start, size_t size, const void *pc);

// Says where the program's stack ended when it called: a variable below that is gone. Comes before access_read, access_write.
void access_stack(const void *start, size_t size, bool write, const void *stack_end, const void *pc);

// One of compiled code that has no hook of its own; a loop of these gives way to others like one of hooked accesses.
void access_unhooked(void *start, uint32_t size, bool write, const void *pc);

// A function that has no hook at its entry either makes one: until hooks_leave it is on the stack of calls.
void hooks_enter(const void *caller, const void *pc);
void hooks_leave(void);

struct thread;

// The memory is about to be given back. Under --races explore that is a step if accesses to some of it are: whether they come
// before it matters.
void access_end(struct thread *t, uint64_t address, uint64_t size, const void *pc);

// The calling thread's own virtual time in nanoseconds since the epoch. It depends only on the thread's own history.
uint64_t thread_now(void);
void thread_sleep(uint64_t nanoseconds);

#endif
