// What a thread may be expected to do without interruption: stretches of its records that programmers take to be one.
//
// The seed has none: it takes any two accesses of a thread, and accuses correctly locked programs that way. Here two accesses belong
// together if they are in one region, which is the smallest of these that has both:
//
// - a section of a lock;
// - a region that the program declares (heddle_atomic_begin and _end);
// - one round of a loop, if the recording has rounds;
// - one call of a function, with what it calls. In the function that a thread begins with, at least one of the two has to be
//   done directly: otherwise everything that a thread does one after the other would belong together.
//
// A recording without calls has one region for each thread.
#ifndef PREDICT_REGIONS_H
#define PREDICT_REGIONS_H

#include "predict/model.h"

enum bound_kind { BOUND_SECTION, BOUND_DECLARED, BOUND_ROUND, BOUND_CALL, BOUND_KINDS };
enum { BOUND_ALL = (1 << BOUND_KINDS) - 1 };

extern const char *const bound_names[BOUND_KINDS]; // as the option spells them

// The region that two accesses are in.
struct bound {
    enum bound_kind kind;
    uint32_t thread;
    uint32_t from, to; // positions of its first and last record
    uint32_t lock;     // of a section; otherwise NOT_RECORDED
    uint32_t place;    // of the function, or where it begins; may be NOT_RECORDED
};

struct region {
    uint32_t kind; // enum region_kind
    uint32_t from, to;
    uint32_t place;
    uint32_t around; // number of the region that this one is in; NOT_RECORDED: none
};

struct region_line {
    struct region *regions; // in the order of their beginnings; the first is the whole thread
    uint32_t count;
    size_t room;
    uint32_t *since, *inside; // from that position on the innermost region is this
    uint32_t change_count;
    size_t since_room, inside_room;
    bool calls; // there are calls in the recording
};

struct regions {
    const struct model *m;
    unsigned kinds;            // those that count, bits by bound_kind
    struct region_line *lines; // by thread
};

void regions_make(struct regions *g, const struct model *m, unsigned kinds);
void regions_free(struct regions *g);

// The number of the innermost region around a position, and of the innermost call.
uint32_t regions_inside(const struct regions *g, uint32_t thread, uint32_t position);
uint32_t regions_call(const struct regions *g, uint32_t thread, uint32_t position);

// The region of the accesses at `first` < `second`; false if there is none.
bool regions_bound(const struct regions *g, uint32_t thread, uint32_t first, uint32_t second, struct bound *bound);

#endif
