// Clients beyond the bounds, for as long as there is time.
//
// There are two rows of sizes, and they take turns. One has more calls in the threads, in whatever shapes: four beside one, three
// beside two. The other has more calls before the threads begin: they put the object into a state that the threads alone
// would take many calls to reach, and cost next to nothing. In each row smaller sizes come first: fewer calls, then fewer
// threads.
#ifndef LIN_GROWTH_H
#define LIN_GROWTH_H

#include "lin/inventor.h"

enum growth_row { GROWTH_THREADS, GROWTH_BEFORE, GROWTH_ROWS };

// What was tried of one size.
struct growth_size {
    struct client_size size;
    uint64_t clients; // that were explored
    uint64_t left;    // those of them that were not explored to their end
    bool all;         // there are no more
};

enum { GROWTH_SIZES = 48 };

struct growth {
    const struct client_object *object;
    struct client_bounds bounds; // what lies within has been explored
    const struct client *around;
    struct {
        struct inventor clients;
        struct growth_size size[GROWTH_SIZES]; // the last is under way
        uint32_t sizes;
        bool over;
    } row[GROWTH_ROWS];
};

void growth_begin(struct growth *g, const struct client_object *object, const struct client_bounds *bounds,
                  const struct client *around);
void growth_end(struct growth *g);

// Up to `most` clients of one size, which is the last of the row. 0 if the row has no more.
uint32_t growth_next(struct growth *g, enum growth_row row, struct client *clients, uint32_t most);

#endif
