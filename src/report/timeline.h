// Which worker explored which unit of a search, and when: a picture for those who want to know whether everybody had enough to do.
#ifndef REPORT_TIMELINE_H
#define REPORT_TIMELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct timeline_piece {
    uint32_t worker, unit;
    double began, ended; // by time_now
    uint64_t executions; // of the unit, up to then
    bool killed;         // its worker was, and another one did again what it had not told of
};

struct timeline {
    struct timeline_piece *piece;
    size_t count, room;
};

void timeline_add(struct timeline *timeline, struct timeline_piece piece);

// As SVG, a row for each worker. False if it cannot be written.
bool timeline_write(const struct timeline *timeline, FILE *out);
void timeline_free(struct timeline *timeline);

#endif
