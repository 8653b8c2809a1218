// Memory that nobody has written, and branches that depend on it (--memory-errors).
//
// Fresh blocks of the heap and fresh frames hold bytes that heddle chose (model/fill.h), and are marked until a hook tells of a
// write. A byte counts as unwritten only if it is marked and still holds what heddle put there. So a write that no hook told of
// makes nobody guilty: of libraries without hooks, of the compiler's own code, of the kernel.
// Copies take the marks along. A branch is one that the compiler's output shows (build/assembly/assembly_defined.h), and all bytes
// of what it looks at have to be unwritten: compilers compare several members at once.
#ifndef TARGET_DEFINED_H
#define TARGET_DEFINED_H

#include <stddef.h>
#include <stdint.h>

#include "model/defined.h"

struct thread;

// A block that holds what heap_fresh_byte says.
void defined_fresh(uint64_t start, uint64_t size);

// The thread has entered a function whose hook returns to `pc`; its frame begins at `sp`. Fills what is not set yet.
void defined_enter(uint64_t sp, const void *pc);

// What is known of the function whose entry's hook returns to `pc`; null: nothing.
const struct defined_site *defined_entry(uint64_t pc);

void defined_note_write(uint64_t start, uint64_t size);
void defined_note_copy(uint64_t to, uint64_t from, uint64_t size);

// A read by a hook that returns to `pc`, and one by a function that looks at each byte.
void defined_look(struct thread *t, uint64_t address, uint32_t size, const void *pc);
void defined_look_at_text(struct thread *t, uint64_t address, uint64_t size, const void *pc);

// Two pieces of memory are compared. They differ in their first byte, and the next `rest` bytes are compared no more.
void defined_look_at_difference(struct thread *t, uint64_t one, uint64_t other, uint64_t rest, const void *pc);

// Each unit tells of its sites before main.
void __heddle_defined(const struct defined_unit *unit);

#endif
