// Memory for one check: taken from one reservation of fixed size, thrown away all at once. Running out is an answer, not
// an accident. Also the two tables of a search: states by their contents, and places already visited.
#ifndef HISTORY_SPACE_H
#define HISTORY_SPACE_H

#include "history/spec.h"

struct space {
    char *start;
    size_t used, room;
    size_t most; // ever used
};

// Reserves address space; pages cost nothing until they are touched.
void space_init(struct space *space, size_t bytes);
void space_free(struct space *space);

static inline void space_clear(struct space *space)
{
    space->used = 0;
}

// Aligned for anything, not zeroed; null if there is no room.
void *space_take(struct space *space, size_t count, size_t size);

// A set of runs of bytes, each with a number from 0 on in the order of arrival.
struct pool {
    uint64_t *slots; // hash in the upper half, number plus one in the lower; 0 is empty
    uint32_t slot_count, count;
    uint32_t *starts; // of each run, in units of 8 bytes from the start of the space
    uint32_t start_room;
    const struct spec *spec; // compares and hashes states, if this is a pool of states; else null
};

enum { POOL_FULL = UINT32_MAX };

// False if there is no room.
bool pool_init(struct pool *pool, struct space *space, const struct spec *spec);

// The number of the run, POOL_FULL if there is no room. `added` says whether it is new.
uint32_t pool_add(struct pool *pool, struct space *space, const void *bytes, size_t size, bool *added);

// The number of the run, or POOL_FULL if it is not there.
uint32_t pool_find(const struct pool *pool, const struct space *space, const void *bytes, size_t size);

const void *pool_get(const struct pool *pool, const struct space *space, uint32_t number, size_t *size);

#endif
