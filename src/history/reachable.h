// The states that a history can lead to: those that its operations lead to with the results that were seen, in any order and any
// number of times. Where they are few they can be written down, and say of a model that nobody knows anything about which
// operations only read, and what cannot have been.
#ifndef HISTORY_REACHABLE_H
#define HISTORY_REACHABLE_H

#include "history/linearize.h"

// State 0 is the first one. Everything lives in `space`.
struct reachable {
    struct space space;
    uint32_t states, labels;
    uint32_t *label;        // of each operation
    uint32_t *of_label;     // of each label: one such operation
    uint32_t *first, *next; // by state * labels + label: where it may lead, next[first[i]] to next[first[i + 1]]
};

// False if there are too many, or no time or room; `bytes` is the most it may take. Free with reachable_free in either case.
bool reachable_find(struct reachable *r, const struct spec *spec, const struct operation *ops, uint32_t count,
                    const struct lin_options *options, size_t bytes);
void reachable_free(struct reachable *r);

// Whether an operation of this label leaves every state as it is in which it can give what was seen, and there is such a state.
bool reachable_reads(const struct reachable *r, uint32_t label);

#endif
