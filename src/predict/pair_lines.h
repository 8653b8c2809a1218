// A thread's accesses to two variables, in its order.
#ifndef PREDICT_PAIR_LINES_H
#define PREDICT_PAIR_LINES_H

#include "predict/prediction_hunt.h"

// Two accesses of a thread that belong together, `first` before `second`.
struct instance {
    uint32_t first, second; // records
    struct bound bound;
};

struct pair_line {
    uint32_t thread;
    uint32_t *records, record_count;
    struct instance *instances; // filled by whoever looks for them
    uint32_t count;
    size_t room;
};

// One line for each thread that accesses both.
struct pair_line *pair_lines(const struct hunt *h, uint32_t x, uint32_t y, uint32_t *count);
void pair_lines_free(struct pair_line *lines, uint32_t count);

#endif
