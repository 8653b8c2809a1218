// The kinds of bug heddle finds, by the names that reports, JSON and exit status use.
#ifndef CHECK_BUG_H
#define CHECK_BUG_H

#include <stdbool.h>
#include <stdint.h>

enum bug_kind {
    BUG_NONE,
    BUG_ASSERTION,
    BUG_ABORT,
    BUG_SIGNAL,
    BUG_DEADLOCK,
    BUG_LIVELOCK,
    BUG_RACE,
    BUG_USE_AFTER_FREE,
    BUG_DOUBLE_FREE,
    BUG_BAD_FREE,
    BUG_LOCK_MISUSE,
    BUG_THREAD_MISUSE,
    BUG_LEAK,
    BUG_EXIT,             // the process ends with a status other than 0, which is asked for to be 0
    BUG_NOT_LINEARIZABLE, // or not sequentially or quiescently consistent: calls gave what no order of them gives
    BUG_USE_AFTER_UNMAP,
    BUG_NOT_WAIT_FREE, // a call made more steps than its operation promises
    BUG_KINDS
};

extern const char *const bug_names[BUG_KINDS];

enum { BUG_TEXT = 512 };

// A failure as the program under test shows it, without names of source lines: those come from a recorded re-run.
struct bug {
    uint32_t kind;  // enum bug_kind
    uint32_t actor; // who was running; for a deadlock the first of those that wait
    uint32_t event; // number of the event during whose step it happened
    uint32_t last;  // the last event that it needs: of a deadlock, that after which it is bound to come; else the same
    uint32_t other; // the other actor of a race, or the holder; MAX_ACTORS if none
    uint64_t pc;
    uint64_t address;
    uint32_t size;
    uint32_t write;      // race: the second access writes
    uint32_t nth;        // how many events its actor had had
    uint32_t ends_call;  // a misuse of a call: its thread stops there, and goes on once this is tolerated
    uint32_t after;      // which failures of the same execution it may follow from: a bit for each, in their order
    uint32_t number;     // signal number, exit status; deadlock and livelock: mixed from places where threads wait
    char text[BUG_TEXT]; // one sentence
};

// Bugs with the same signature are the same bug to the user.
uint64_t bug_signature(const struct bug *bug);

// Whether two runs of one program fail in the same way: at the same place; for a race, on the same memory (and, if
// `by_place`, at the same place too); for a deadlock or a livelock, with threads that wait at the same places.
bool bug_same(const struct bug *a, const struct bug *b, bool by_place);

#endif
