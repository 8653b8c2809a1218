// Branches that decide nothing about what the program accesses (model/flow.h), found by following the code of their sides.
#ifndef BUILD_ASSEMBLY_DETOUR_H
#define BUILD_ASSEMBLY_DETOUR_H

#include "build/assembly/assembly_walk.h"

enum { DETOUR_ITEMS = 200 };

struct detour {
    const struct unseen_walk *walk;
    size_t first, end;   // of the function
    uint64_t reads;      // that the branch looks at …
    uint64_t fresh;      // … and, of those, the ones after which nothing has ordered threads
    const uint8_t *read; // of each item: see taint_function

    // What is found: registers that are written on the way, those on whose staying the same it relies, and whether the
    // thread may wait or signal there.
    uint32_t written, relied;
    bool vectors, waits;
};

// Whether from this item on nothing is done but to give up.
bool detour_gives_up(const struct detour *d, size_t item);

// The first instruction from there on; the function's end if there is none.
size_t detour_next(const struct detour *d, size_t item);

// The instructions between, and the join itself, once it is known that every way comes round; how many they are.
size_t detour_items(const struct detour *d, size_t item, size_t join, size_t items[DETOUR_ITEMS]);

// Whether two hooks tell of the same place, as long as the registers that are added to `relied` stay as they are.
bool detour_same_place(const struct detour *d, size_t hook, size_t other, uint32_t *relied);

// Whether every way from `item` comes to `join`, with nothing in between that others could see but waiting and signalling.
bool detour_comes_round(struct detour *d, size_t item, size_t join);

#endif
