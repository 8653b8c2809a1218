// States for which there is no room in memory: sorted files that are never changed (*runs), the newest first to be asked.
//
// A state whose sleeping actors have become fewer is written again, to a newer run. To ask for a state that is in none costs no
// reading for the most part: each run has a Bloom filter in memory, of ten bits a state. One that is there costs one read of a block,
// which the index of first states finds. Two runs are merged when the newer has grown to half of the other, so that there are few, and a
// state is written as often as the logarithm of their number says.
#ifndef CLUSTER_VISITED_RUNS_H
#define CLUSTER_VISITED_RUNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A state as it is sorted and written.
struct kept_state {
    uint64_t hash;
    uint32_t sleep;
    uint16_t rank; // circles.h
} __attribute__((packed));

enum { RUNS_MOST = 48 };

struct visited_run {
    int file;
    uint64_t count;
    uint64_t *first; // of each block
    uint64_t *bloom; // of `bits` bits
    uint64_t bits;
};

struct visited_runs {
    struct visited_run run[RUNS_MOST]; // the oldest first, which is the largest
    uint32_t count;
    uint64_t written, reads; // states, merged ones too; blocks
    char wrong[128];         // why nothing can be written any more; or empty
};

void visited_runs_open(struct visited_runs *runs);
void visited_runs_close(struct visited_runs *runs);

// Writes a run of these states, which it sorts. False: that was not possible, and `wrong` says why; nothing is lost.
bool visited_runs_add(struct visited_runs *runs, struct kept_state *states, uint64_t count);

// The newest version of a state; false if it is in none.
bool visited_runs_find(struct visited_runs *runs, uint64_t hash, struct kept_state *found);

// Bytes in memory, and on the disk.
size_t visited_runs_bytes(const struct visited_runs *runs);
size_t visited_runs_disk(const struct visited_runs *runs);

#endif
