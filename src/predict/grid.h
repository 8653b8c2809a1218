// Whether two threads can run so that some wishes hold, and how: the search that takes the place of the seed's model checker.
//
// A state of two threads is a point of a grid: how many records each has done. A run is a path through it, to the right and up. Two
// sections of one lock forbid a rectangle; that a record needs another one forbids a corner, and so does a wish. What is left is
// gone through row by row, with 64 points at a time, so the time is the number of points over 64. Only records that synchronise
// and those of wishes count as columns and rows.
//
// With two threads in the recording the answer is exact. Other threads take part in what has to come before what; whether
// their locks let the path through is seen when it is made a run of all (reordering.h).
//
// Where the whole grid would be too large, only a part of it is searched: the run is as it was recorded up to some record, and few
// records later the search ends. What is found there is possible; but then "no" means "not there".
#ifndef PREDICT_GRID_H
#define PREDICT_GRID_H

#include "predict/model.h"

struct grid_step {
    uint32_t thread;
    uint32_t done; // it runs until it has done so many
};

// Zero-initialised before the first search.
struct grid_path {
    uint32_t start;    // records with lower numbers come first, as they were recorded
    uint32_t searches; // how many parts were searched, each larger than the one before …
    bool whole;        // … the last of them the whole grid
    uint64_t points;   // of all that were searched
    struct grid_step *steps;
    uint32_t count;
    size_t room;
};

enum grid_answer {
    GRID_NO,
    GRID_YES,
    GRID_NOT_THERE, // in the part that was searched
};

enum { GRID_POINTS = 1 << 26 }; // the most that are searched at a time

// `points` (usually GRID_POINTS) bounds the search. The path, if there is one, does all records of the wishes, or ends in front of those
// to meet; it is to be freed in any case. If it turns out to be no good, asking again with the same path goes on with larger parts.
enum grid_answer grid_search(const struct model *m, const struct question *q, uint64_t points, struct grid_path *path);
void grid_path_free(struct grid_path *path);

#endif
