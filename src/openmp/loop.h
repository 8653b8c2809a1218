// Loops whose iterations a team shares. To the functions here a loop has `total` iterations, numbered from 0; the entry points
// of the compilers translate.
#ifndef OPENMP_LOOP_H
#define OPENMP_LOOP_H

#include <stdbool.h>

enum schedule { SCHEDULE_STATIC, SCHEDULE_DYNAMIC, SCHEDULE_GUIDED, SCHEDULE_RUNTIME };

// A work-sharing construct, as all threads of a team see it.
struct share {
    unsigned long long taken; // iterations that were handed out
    unsigned long long turn;  // ordered: the iteration at which the next chunk to have its turn begins
    unsigned char *posted;    // doacross: of each iteration, whether it has been posted
};

// What one thread knows of the loop it is in.
struct loop {
    struct share *share;
    enum schedule schedule;
    unsigned ordered; // whether it is; behind the schedule there would be a gap otherwise, which is copied
    unsigned long long total, chunk;
    unsigned long long rounds;          // static: chunks this thread has had
    unsigned long long first, count;    // the chunk it has now; none if count is 0
    unsigned long long ordered_regions; // of this chunk that have ended; all of `count` once the turn was passed on
    long long start, end, step;         // the compiler's numbers
};

// A nest of loops whose iterations wait for others (depend(sink: …)).
enum { MOST_DIMENSIONS = 8 };
struct nest {
    struct share *share;
    unsigned dimensions;
    unsigned long long extent[MOST_DIMENSIONS];
    long long low[MOST_DIMENSIONS], step[MOST_DIMENSIONS]; // the compiler's numbers
};

struct member;

// Begins the next loop of the team. A chunk of 0 leaves its size to the schedule.
void heddle_omp_loop_begin(struct member *m, enum schedule schedule, unsigned long long total, unsigned long long chunk,
                           bool ordered);

// Takes the next chunk for the calling thread (m->loop.first, .count); false if there is none left.
bool heddle_omp_loop_take(struct member *m);

// The turn of a chunk in an ordered loop: waits for it; passes it on when the chunk has had all its ordered regions.
void heddle_omp_ordered_enter(struct member *m);
void heddle_omp_ordered_leave(struct member *m);

// depend(source) and depend(sink: …) of an iteration, by its position in m->nest, whose dimensions and extents were set.
void heddle_omp_doacross_begin(struct member *m);
void heddle_omp_doacross_post(struct member *m, const unsigned long long *position);
void heddle_omp_doacross_wait(struct member *m, const unsigned long long *position);

#endif
