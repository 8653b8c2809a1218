// What rules abstract from a state, as a number; and from the states of several nodes, where it does not matter which
// node is which.
#ifndef CLUSTER_ABSTRACTION_H
#define CLUSTER_ABSTRACTION_H

#include <stddef.h>
#include <stdint.h>

enum { ABSTRACT = 128 }; // bytes that a rule may write

uint64_t abstraction_hash(const uint8_t *abstract, size_t size);

// The same in whichever order they come. Sorts them.
uint64_t abstraction_sum(uint64_t *each, size_t count, uint64_t seed);

#endif
