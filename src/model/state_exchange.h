// What a process that searches by states says to those of other machines, and hears from them: two rings of records in memory that
// it shares with whoever carries them (mpi/state_ranks.h). Each ring has one writer and one reader, and keeps the order.
#ifndef MODEL_STATE_EXCHANGE_H
#define MODEL_STATE_EXCHANGE_H

#include <stdbool.h>
#include <stdint.h>

#include "model/fingerprint.h"

enum { EXCHANGE_RECORDS = 1 << 16, EXCHANGE_WORDS = 7 };

enum exchange_kind {
    EXCHANGE_NOTHING,
    EXCHANGE_ASK,      // whether a state is closed, to the one who keeps it
    EXCHANGE_CLOSED,   // it is: to the one who keeps it, and to one who has asked
    EXCHANGE_GROWN,    // a word belongs to states from now on, to everybody
    EXCHANGE_WORD,     // how a word is used (exchange_use)
    EXCHANGE_PLACE,    // an object got a number
    EXCHANGE_SIZE,     // and is accessed in this size
    EXCHANGE_ACTOR,    // so did an actor
    EXCHANGE_BEGUN,    // what was found alone, in short: the same everywhere, or states cannot be compared
    EXCHANGE_FINISHED, // the first state of all is closed
    EXCHANGE_TROUBLE,  // states cannot be compared
    EXCHANGE_OVER      // from whoever carries records: everybody agrees that the search is over
};

struct exchange_record {
    uint32_t kind;
    uint32_t other; // to whom it goes, and from whom it comes
    uint64_t word[EXCHANGE_WORDS];
};

struct exchange_ring {
    volatile uint64_t written, read;
    struct exchange_record record[EXCHANGE_RECORDS];
};

struct state_exchange {
    uint32_t self, count;     // which of those who search this is, from 0 on
    volatile uint32_t begun;  // it has searched alone for long enough, and does so with others now
    volatile uint32_t over;   // it has heard that the search is over
    volatile uint64_t digest; // what belongs to its states
    struct exchange_ring out, in;
};

// By which actor (plus 1; 0: several), and not only to be read.
static inline uint64_t exchange_use(uint32_t actor, bool written)
{
    return actor | (uint64_t)written << 32;
}

// False if there is no room.
bool exchange_put(struct exchange_ring *ring, const struct exchange_record *record);

// The oldest record, or null; and forgets it.
const struct exchange_record *exchange_look(const struct exchange_ring *ring);
void exchange_pass(struct exchange_ring *ring);

// Says something; waits for room.
void exchange_say(struct state_exchange *exchange, const struct exchange_record *record);

// Who keeps a state.
static inline uint32_t exchange_keeper(const struct state_exchange *exchange, struct fingerprint key)
{
    return (uint32_t)(fingerprint_scramble(key.low ^ key.high) >> 32) % exchange->count;
}

#endif
