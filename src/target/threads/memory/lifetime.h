// Whether memory that is about to be used is still there: in a block that was not freed, inside of it, on a stack that is
// somebody's. Plain accesses, atomic operations and synchronisation objects all ask, whether or not anybody else is there.
#ifndef TARGET_LIFETIME_H
#define TARGET_LIFETIME_H

#include "base/paths.h"
#include "target/threads/engine/engine.h"
#include "target/threads/memory/frames.h"

// Marks of cells whose memory is no longer there, or is not all of a block.
enum { CELL_GONE = CELL_FREED | CELL_OUTSIDE | CELL_EDGE };

// Whether that matters to an access to these bytes of the cell's word.
static IN_PLACE bool lifetime_is_gone(const struct cell *cell, uint64_t address, uint64_t size)
{
    const uint32_t gone = cell->state & CELL_GONE;
    return gone && (gone != CELL_EDGE || (address & 7) + size > cell->inside);
}

static IN_PLACE bool is_on_stack(uint64_t address)
{
    return address >> 32 == STACKS_START >> 32;
}

// Below the stack pointer of whoever called the hook there is nothing (a function that calls has no red zone), unless the program
// has gone to another stack: by a context (contexts.h), or by assembly of its own.
static IN_PLACE bool is_below_stack(const struct thread *t, uint64_t address, uint64_t stack_pointer)
{
    return address < stack_pointer && t->stack_low == t->own_stack.low &&
           stack_pointer <= (uint64_t)(uintptr_t)t->own_stack.top;
}

void lifetime_stack_is_gone(struct thread *t, uint32_t owner, uint64_t address, const char *does, const void *pc);

void lifetime_lend(struct thread *owner, uint64_t address, uint64_t size);

// Whether a variable on a stack is still somebody's. The stack of main stays while others run, whatever main does. `does` says
// what is done to it in the words of a report: "reads a variable".
static IN_PLACE void look_at_stack(struct thread *t, uint64_t address, uint64_t size, const char *does,
                                   uint64_t stack_pointer, const void *pc)
{
    uint32_t owner = (uint32_t)((address - STACKS_START) / STACK_ROOM);
    bool dead = owner == t->actor ? is_below_stack(t, address, stack_pointer) : owner && engine.threads[owner].ended;
    if (unlikely(owner != t->actor && owner && !dead))
        lifetime_lend(&engine.threads[owner], address, size);
    if (unlikely(engine.rules.memory_errors) && owner != t->actor && !dead)
        dead = frames_is_left(&engine.threads[owner], address);
    if (unlikely(dead))
        lifetime_stack_is_gone(t, owner, address, does, pc);
}

// What is done to a variable, in the words of a report.
extern const char atomic_use[], volatile_use[];

// An atomic operation, or a volatile access, is about to be asked for. Where the program's own part of its stack ends is known only here.
void lifetime_atomic_is_below(struct thread *t, uint64_t address, const char *does, const void *pc);

static IN_PLACE bool is_on_own_stack(const struct thread *t, uint64_t address)
{
    return is_on_stack(address) && (address - STACKS_START) / STACK_ROOM == t->actor;
}

static IN_PLACE void look_at_own_stack(struct thread *t, const volatile void *p, const char *does,
                                       const void *stack_pointer, const void *pc)
{
    uint64_t address = (uint64_t)(uintptr_t)p;
    if (unlikely(is_on_own_stack(t, address) && is_below_stack(t, address, (uint64_t)(uintptr_t)stack_pointer)))
        lifetime_atomic_is_below(t, address, does, pc);
}

// The memory of an atomic operation or volatile access that the program called from `pc`. `does` is one of those above.
void lifetime_look_at_atomic(struct thread *t, uint64_t address, uint64_t size, const char *does, const void *pc);

// The memory of a synchronisation object that the program uses from `pc`: "locks a mutex".
void lifetime_look_at_object(struct thread *t, uint64_t address, const char *does, const void *pc);

// The stack of the thread, which is about to end, will be gone: whoever uses it without being ordered before that may as well do so
// afterwards. That end counts as a write of every byte that others have used, like that of a block.
void lifetime_stack_ends(struct thread *t);

// The same for its thread-local variables, of which those are looked at that somebody has accessed.
void lifetime_locals_end(struct thread *t);

// Another thread has them from now on.
void lifetime_locals_begin(struct thread *t);

// Whether a thread-local variable of a thread that has ended lies there.
bool lifetime_is_left_local(uint64_t address);

#endif
