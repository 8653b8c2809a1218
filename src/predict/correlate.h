// Which variables belong together, as one or more runs show: seed 003, "access correlation", repaired.
//
// For each thread, its accesses to variables that several threads access are numbered. Where an access to y follows one to x, with
// no other access to x or y between them, the number of other accesses between them is a distance of the pair. Distances that are
// far from the median (by two times the median deviation, times 1.4826) are left out; the pair's distance is the mean of the others.
//
// What differs from the print: distances are counted within a thread, and as the prose has it (neighbours have 0). If the deviation
// is 0, what equals the median is kept, and nothing is divided by it. A pair needs a minimum of occurrences. They are counted in each
// direction, and the share of all accesses that come in pairs is told. Pairs come from a window that slides over the accesses,
// not from all variables squared; so a distance is less than CORRELATE_WINDOW. Equal distances are ordered by that share and
// by occurrences.
//
// Several runs are brought together by names: a global is its symbol and offset, memory from malloc the place of the call and the
// offset.
#ifndef PREDICT_CORRELATE_H
#define PREDICT_CORRELATE_H

#include "predict/accesses.h"
#include "predict/sections.h"

enum { CORRELATE_WINDOW = 16, CORRELATE_LOCKS = 4 };

struct correlation {
    uint32_t x, y;                        // classes of variables
    uint64_t forward, backward;           // y follows x, x follows y
    uint64_t distances[CORRELATE_WINDOW]; // how often each
    uint64_t threads;                     // bits of threads (modulo 64) in which they come in pairs
    uint32_t recording;                   // the first that shows it
    uint32_t variables; // pairs of variables of these classes in the first recording: the newest, in `variables`
    uint32_t locks[CORRELATE_LOCKS]; // held around both each time; of that recording
    uint32_t lock_count;
    bool one_block;  // parts of one struct or array each time
    double distance; // as above
    double share;    // of the accesses to either that come in such pairs
};

// Two variables of one recording that come in pairs.
struct variable_pair {
    uint32_t x, y;
    uint32_t next; // of the same classes; NOT_RECORDED: none
};

struct correlations {
    struct correlation *list; // best first
    uint32_t count;
    size_t room;
    struct table classes; // names
    uint64_t *accessed;   // by class: how often
    size_t accessed_room;
    struct table pairs, variable_keys;
    struct variable_pair *variables;
    size_t variable_room;
    uint32_t **class_of; // by recording and variable; NOT_RECORDED: only one thread accesses it
    uint32_t recordings;
    size_t recording_room;
    uint64_t weak; // pairs with too few occurrences
};

// Adds what a run shows; sections may be null. Then `correlate_rank` once.
void correlate_add(struct correlations *c, const struct recording *r, const struct accesses *a,
                   const struct sections *s);
void correlate_rank(struct correlations *c, uint64_t least);
void correlate_free(struct correlations *c);

// What a class of variables is called.
const char *correlate_name(const struct correlations *c, uint32_t class);

#endif
