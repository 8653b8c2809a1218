// A number for each state, by its contents and not by a hash of them: two states have the same number if and only if they are equal in
// everything that world_hash looks at.
//
// A state is spelled as a row of numbers: one for the contents of each node, of each channel, and of what those who look on remember.
// Nodes have few different contents compared with all states, so each is kept once, and a node or a message that has not changed since
// remembers its number. What is kept lies in a file that is mapped into
// memory: where memory is short the system writes it there.
#ifndef CLUSTER_EXACT_STATES_H
#define CLUSTER_EXACT_STATES_H

#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"

struct exact_states {
    uint8_t *text; // contents, one after the other, each behind its size
    size_t used, room;
    size_t most;      // bytes of text that may be in memory; 0: any number
    size_t in_memory; // from here on it is in the file; SIZE_MAX: there is none yet
    int file;
    uint64_t *slot;  // upper half of the hash, number; 0: free
    uint64_t *place; // of each number in `text`
    uint32_t count, slots;
    uint32_t search;          // which keeping of exact states this is, from 1 on: numbers of others say nothing
    struct buffer row, piece; // at work
};

void exact_states_open(struct exact_states *states, size_t most);
void exact_states_close(struct exact_states *states);

// Of the world at hand, spread over 64 bits.
uint64_t exact_states_number(struct exact_states *states);

// Bytes in memory, and in the file.
size_t exact_states_bytes(const struct exact_states *states);
size_t exact_states_disk(const struct exact_states *states);

#endif
