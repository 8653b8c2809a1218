// Numbers by pairs of words: which key is this, who wrote this value to that key.
// Not base/table.h: each access of a history is looked up several times, and half of that time is saved by having the pair
// and its number in the slot itself.
#ifndef TRANSACTIONS_LOOKUP_H
#define TRANSACTIONS_LOOKUP_H

#include <stddef.h>
#include <stdint.h>

enum { LOOKUP_NONE = UINT32_MAX };

// Zero-initialised is empty.
struct lookup {
    struct lookup_slot {
        int64_t first, second;
        uint32_t number, used;
    } * slots;
    size_t slot_count, count;
};

// The number of the pair, or LOOKUP_NONE.
uint32_t lookup_find(const struct lookup *lookup, int64_t first, int64_t second);

// Where the number of the pair stands, LOOKUP_NONE if it is new. Valid until the next call.
uint32_t *lookup_at(struct lookup *lookup, int64_t first, int64_t second);

void lookup_free(struct lookup *lookup);

#endif
