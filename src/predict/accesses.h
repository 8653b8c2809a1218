// Who accesses a variable: for each variable the positions of its accesses, thread by thread.
#ifndef PREDICT_ACCESSES_H
#define PREDICT_ACCESSES_H

#include "predict/model.h"

// One thread's accesses to one variable, in its order.
struct access_line {
    uint32_t thread;
    const uint32_t *records;
    uint32_t count;
    bool writes;
};

struct accesses {
    const struct recording *r;
    uint32_t *records; // by variable, then by thread, then in their order
    struct access_line *lines;
    uint32_t *first_line; // by variable; one more than there are
};

void accesses_make(struct accesses *a, const struct recording *r);
void accesses_free(struct accesses *a);

static inline const struct access_line *accesses_lines(const struct accesses *a, uint32_t variable, uint32_t *count)
{
    *count = a->first_line[variable + 1] - a->first_line[variable];
    return &a->lines[a->first_line[variable]];
}

static inline bool record_writes(const struct record *e)
{
    return record_table[e->kind].writes;
}

static inline bool records_conflict(const struct record *a, const struct record *b)
{
    return a->object == b->object && (record_writes(a) || record_writes(b));
}

#endif
