// The words that an execution accesses, with who accessed them and under which locks: what subspace.c compares.
//
// Of each thread's accesses to the same bytes under the same locks only the latest is kept. Who is ordered after that is
// ordered after all of them.
#ifndef EXPLORE_SUBSPACE_WORDS_H
#define EXPLORE_SUBSPACE_WORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "model/journal.h"

struct known_access {
    uint32_t actor;
    bool write, atomic, after; // after the state
    uint8_t mask;
    uint32_t position; // in the journal
    uint32_t next;     // number of another one to the word; 0: there is none
    struct lockset held;
};

struct word {
    uint32_t round;
    uint32_t first;            // access
    uint8_t unstable, tainted; // bytes
};

struct words {
    struct word *table;            // by their slots in the journal
    struct known_access *accesses; // from 1 on
    uint32_t count, round;
    bool any_unstable;
    bool room; // there was enough
};

void words_init(struct words *w);
void words_free(struct words *w);
void words_clear(struct words *w);

// `slot` is the word's in the journal.
static inline struct word *words_at(struct words *w, uint32_t slot)
{
    struct word *word = &w->table[slot];
    if (word->round != w->round)
        *word = (struct word){.round = w->round};
    return word;
}

void words_keep(struct words *w, struct word *word, const struct known_access *access);

#endif
