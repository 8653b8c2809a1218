// The frontier of a search by `optimal`: what was explored, what was found, and what is left, as it stands outside of all processes.
// With the same program it is all that anybody needs to go on, in another process or on another machine.
//
// It is taken from a ledger at any moment, and put into another with any number of workers. The units keep their order, so that what
// is reported in the end is what one worker would have reported. Units that are done are added up with the next one that is not.
// For the command only.
#ifndef SPREAD_SAVED_SEARCH_H
#define SPREAD_SAVED_SEARCH_H

#include "base/buffer.h"
#include "spread/ledger.h"

// What somebody has found who is no longer there.
struct legacy {
    struct answer *answer; // with as many bugs as there are, and no room for more
    struct step *steps;    // which have their schedules here
    uint32_t steps_used;
};

struct saved_unit {
    struct counts counts;
    struct search_part *part; // what is left of it; null: nothing
};

struct saved_search {
    double seconds;     // that the search has taken
    struct share share; // of it that is done
    struct lessons learnt;
    struct job_threads threads;
    struct legacy before; // bugs of earlier attempts, and no counts
    struct legacy *legacy;
    size_t legacies, legacy_room;
    struct saved_unit *unit;
    size_t units, unit_room;
    uint32_t last;        // the unit that ended the search when it was taken, which is to be explored again, or NO_UNIT
    void *context;        // what belongs to those who search, …
    size_t context_bytes; // … so many
};

// What is in the ledger, by what everybody has told: units and identities of actors. `jobs`: of its workers. With everything else
// as it is.
void saved_take(struct saved_search *search, struct ledger *ledger, struct job *const *jobs);

// A search of which nothing was explored.
void saved_begin(struct saved_search *search);

// Adds a unit behind all others, with a copy of the part, which may be null.
struct saved_unit *saved_add_unit(struct saved_search *search, const struct counts *counts,
                                  const struct search_part *part);

// Puts the units into a ledger that was opened for as many. False if there is no room.
bool saved_put(const struct saved_search *search, struct ledger *ledger);

// Adds what a worker had found when it last told. Several without bugs of their own become one.
void saved_bequeath(struct saved_search *search, const struct told *told, const struct step *steps);

// Blocks of bytes, each behind its length.
void saved_write_block(struct buffer *out, const void *bytes, uint64_t length);

// As bytes, and back. False if they are not those of a frontier.
void saved_write(const struct saved_search *search, struct buffer *out);
bool saved_read(struct saved_search *search, const char *bytes, size_t length);

// Executions so far; units that something is left of; and distinct failures.
struct counts saved_counts(const struct saved_search *search);
size_t saved_left(const struct saved_search *search);
size_t saved_bugs(const struct saved_search *search);

void legacy_copy(struct legacy *legacy, const struct answer *answer, const struct step *steps, uint32_t steps_used);
void legacy_free(struct legacy *legacy);
void saved_free(struct saved_search *search);

#endif
