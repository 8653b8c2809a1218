// The kinds of bug that heddle finds. Everything that the search, reports, baselines and suppressions need to know of a kind
// stands in its row of `bug_table`: whoever wants to treat some kinds differently asks for a trait, not for the kind.
#ifndef CHECK_BUG_H
#define CHECK_BUG_H

#include <stdbool.h>
#include <stddef.h>
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
    BUG_EXIT,             // the process ends with a status other than 0, and the user asked for that to be a failure
    BUG_NOT_LINEARIZABLE, // or not sequentially or quiescently consistent: calls gave what no order of them gives
    BUG_USE_AFTER_UNMAP,
    BUG_OUT_OF_BOUNDS,
    BUG_USE_AFTER_RETURN,
    BUG_NOT_WAIT_FREE, // a call made more steps than its operation promises
    BUG_BAD_INDEX,
    BUG_UNINITIALISED,
    BUG_KINDS
};

enum { BUG_TEXT = 512 };

// Who takes part in it, and so whose stacks a report shows.
enum bug_shape {
    BUG_IN_ONE_THREAD,
    BUG_OF_TWO_ACCESSES, // by two threads, without an order between them
    BUG_OF_WAITING,      // threads that wait for ever
};

// What the address of a bug is.
enum bug_object {
    BUG_ON_NOTHING, // there is none, or it is nobody's memory: where the processor faulted
    BUG_ON_MEMORY,  // bytes that were accessed
    BUG_ON_BLOCK,   // a block of the heap, not its first member
    BUG_ON_LOCK,    // a lock or the like
};

struct bug_traits {
    const char *name;  // as reports, JSON, schedules, baselines and suppressions spell it
    const char *means; // a sentence: the description of its rule in SARIF
    enum bug_shape shape;
    enum bug_object object;
    bool at_access;    // an access to memory shows it, and a recorded run has that access next to it
    bool goes_on;      // it stops nobody: the run continues as it would have, and what fails later has other reasons
    bool of_whole_run; // it is judged at the end, of the execution as a whole
    bool has_no_place; // it does not happen at any line
    bool no_decisive;  // no step before it decides that it comes: it is there once it shows
    bool by_object;    // the object, and not the place, tells it from others of its kind
    bool by_callers;   // several callers may have it done by one function: with a baseline, the object tells them apart
    bool
        may_move; // where exactly it happens may differ from run to run: a full stack depends on what heddle needs of it
    const char *varies_from; // its sentence tells it from others of its kind, up to these words; null: it does not
    bool quotes_condition;   // the sentence begins with a condition of the program's source
};

// The last row is for a kind that is none, as a damaged job may have it.
extern const struct bug_traits bug_table[BUG_KINDS + 1];

static inline const struct bug_traits *bug_traits(uint32_t kind)
{
    return &bug_table[kind < BUG_KINDS ? kind : BUG_KINDS];
}

static inline const char *bug_name(uint32_t kind)
{
    return bug_traits(kind)->name;
}

// The kind of this name, of which only `length` characters count; BUG_KINDS if there is none.
enum bug_kind bug_by_name(const char *name, size_t length);

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
    uint32_t round;      // livelock: the event from which on the run comes back to a state, plus 1; 0: seen by spinning
    uint32_t number;     // signal number, exit status; deadlock and livelock: mixed from places where threads wait
    char text[BUG_TEXT]; // one sentence
};

// Bugs with the same signature are the same bug to the user.
uint64_t bug_signature(const struct bug *bug);

// Whether two runs of one program fail in the same way: at the same place; for a race, on the same memory (and, if
// `by_place`, at the same place too); for a leak, of the same block; for a deadlock or a livelock, with threads that wait
// at the same places.
bool bug_same(const struct bug *a, const struct bug *b, bool by_place);

#endif
