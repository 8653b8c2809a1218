// A copy of all memory that the program's behaviour can depend on, to be compared with the same memory later: variables of the
// program and of its own libraries, what was allocated, thread-local variables, the live part of each stack; and what heddle
// itself keeps of threads, locks and the like.
//
// Left out is what may differ and mean nothing: stacks below the stack pointer, memory that is not allocated yet, and what the C
// library keeps for itself (it makes some of that once and for all when it is first needed).
#ifndef TARGET_REPLICA_H
#define TARGET_REPLICA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/missed.h"

struct replica;

struct replica *replica_new(void);

void replica_take(struct replica *s);
size_t replica_bytes(const struct replica *s);

// Where memory is another now, word by word, the first `room` of them. Returns how many.
size_t replica_compare(const struct replica *s, struct missed *found, size_t room);

// The bytes of one aligned word that was copied; false if it is not among them.
bool replica_word(const struct replica *s, uint64_t address, uint64_t *word);

#endif
