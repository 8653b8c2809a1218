// The points of a run at which a fault can be put (model/injection.h), by names that are the same in every run:
//
//     malloc@table.c:40#3=ENOMEM        the third call of malloc in that line, by main, fails
//     malloc@table.c:40#1@T2=ENOMEM     the first one by the second thread that main created
//     load@sum.c:12+2#7@T1.3=flip.5     the second of two reads in that line; a bit flips in what it reads
#ifndef INJECT_POINTS_H
#define INJECT_POINTS_H

#include "base/buffer.h"
#include "model/injection.h"

struct point {
    uint64_t offset, path;
    uint64_t calls; // in the golden run
    uint32_t module;
    enum injection_call call;
    char *place;    // "table.c:40", "table.c:40+2"
    char *function; // may be null
    char *thread;   // "main", "T2", "T1.3"
};

struct points {
    struct point *point;
    size_t count, room;
    char modules[INJECTION_MODULES][INJECTION_PATH];
    uint32_t module_count;
};

// Those of a run that has ended, in the order of their names. `program` is what ran.
void points_take(struct points *points, const struct injection_block *block, const char *program);
void points_free(struct points *points);

// One fault: what is to happen at which call.
struct fault {
    uint32_t point;
    uint64_t number; // of the call, from 1 on
    enum injection_way way;
    enum injection_group group; // that it was drawn from
    uint32_t bit;
};

void fault_name(const struct points *points, const struct fault *fault, struct buffer *name);

// Null, or what is wrong with the name.
const char *fault_find(const struct points *points, const char *name, uint32_t groups, struct fault *fault);

// What the injector is told.
void fault_plan(const struct points *points, const struct fault *fault, struct injection_plan *plan);

#endif
