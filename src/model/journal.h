// What an execution did besides its events: plain accesses with the locks that were held, locks taken and let go, threads created
// and joined, in their order. Kept only where somebody judges from it what other executions would do (explore/subspace.h).
//
// What belongs to the state after k events has `at` k: it is from before the event with that number. So cutting an execution
// back to k events leaves what has `at` up to k.
#ifndef MODEL_JOURNAL_H
#define MODEL_JOURNAL_H

#include <stdbool.h>
#include <stdint.h>

#include "model/exec.h"
#include "model/flow.h"

enum journal_access_kind {
    JOURNAL_READ,
    JOURNAL_WRITE,
    JOURNAL_ATOMIC // any access that cannot race with others of its kind
};

enum journal_note_kind {
    JOURNAL_LOCK, // `other` is the lock's number …
    JOURNAL_UNLOCK,
    JOURNAL_SHARE, // … to read under it, together with others
    JOURNAL_UNSHARE,
    JOURNAL_CREATE, // `other` is the other actor
    JOURNAL_JOIN
};

// A bit for each lock. Further ones are held by nobody.
enum { JOURNAL_LOCKS = 64, JOURNAL_ACCESSES = 1 << 21, JOURNAL_SLOTS = 1 << 20 };

struct lockset {
    uint64_t alone, shared;
};

// Whether no two threads can hold these at the same time.
static inline bool locksets_exclude(const struct lockset *a, const struct lockset *b)
{
    return (a->alone & (b->alone | b->shared)) | (a->shared & b->alone);
}

struct journal_access {
    uint64_t address; // of the word
    uint64_t pc;      // return address of the hook, or of the call
    struct lockset held;
    uint64_t value; // of the word before a write
    uint32_t at;
    uint32_t before; // an earlier access to the word, as its number plus 1; 0: there is none
    uint32_t slot;   // the word's place in a table of JOURNAL_SLOTS: no other word ever has it
    uint16_t actor;
    uint8_t kind;
    uint8_t mask; // bytes of the word
};

struct journal_note {
    uint32_t at;
    uint32_t accesses; // that were before it
    uint16_t actor;
    uint16_t other;
    uint8_t kind;
    bool changed;     // what the actor holds, or how often
    uint32_t holding; // how often any lock is held from then on, by all actors
};

struct journal {
    struct journal_access *access; // null: nothing is kept
    uint32_t accesses;
    struct journal_note *note;
    uint32_t notes;
    uint32_t least_accesses, least_notes; // that there were since whoever reads it set these
    uint32_t missing; // from this `at` on something may be missing, for want of room; UINT32_MAX: nothing is
    bool opaque;      // the program does something that the journal does not know of
    uint64_t lock[JOURNAL_LOCKS];
    uint32_t locks; // these survive
    struct lockset held[MAX_ACTORS];
    uint8_t (*shares)[JOURNAL_LOCKS]; // of each actor, how often it reads under each lock
    struct journal_word *words;       // where the newest access to each word is
    uint32_t words_used;
    // What the compiler's output says of the hook that returns there; null: nothing. May be null itself.
    const struct flow *(*flow)(uint64_t pc);
};

void journal_init(struct journal *j);

// An access that is about to be made.
struct access_site {
    uint64_t address, pc;
    uint8_t kind, mask;
};

// Only the first of several equal accesses between two notes is kept.
void journal_add_access(struct journal *j, const struct access_site *site, uint32_t actor, uint32_t at);

// `lock` is its address.
void journal_add_lock(struct journal *j, enum journal_note_kind kind, uint32_t actor, uint64_t lock, uint32_t at);
void journal_add_thread(struct journal *j, enum journal_note_kind kind, uint32_t actor, uint32_t other, uint32_t at);

// Forgets what came after the first `events` events; journal_clear forgets everything, also what came before the first.
void journal_cut(struct journal *j, uint32_t events);
void journal_clear(struct journal *j);

// The newest access to the word of this slot, as its number plus 1; 0: there is none.
uint32_t journal_newest(const struct journal *j, uint32_t slot);

// Whether anybody holds a lock after the first `events` events.
bool journal_holds_after(const struct journal *j, uint32_t events);

// The number of the first access after the first `events` events.
uint32_t journal_first_after(const struct journal *j, uint32_t events);

#endif
