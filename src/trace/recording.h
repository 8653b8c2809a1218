// One recorded run in memory: who did what to which variable or synchronisation object, at which place of the code.
//
// Records stand in one order in which they can have happened: each thread's in its own order, and everything that orders
// threads (a release before the acquire that it let through, a creation before the child's first record, a write before the
// atomic read that saw it) in the order of the run. How unordered plain accesses of different threads stand to each other says nothing.
//
// A builder fills it: make threads, blocks, variables, objects and places as they turn up, `recording_add` each record, and
// call `recording_finish` once. Readers use only finished recordings, and change nothing in them.
#ifndef TRACE_RECORDING_H
#define TRACE_RECORDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/table.h"

enum { NOT_RECORDED = UINT32_MAX }; // no such thread, block, variable, object, place or record

enum record_kind {
    RECORD_NONE,
    // object: a variable; other: the number of its values (recorded_values) plus 1; 0: they are not known
    RECORD_READ,
    RECORD_WRITE,
    RECORD_ATOMIC_READ, // also a compare-and-swap that failed
    RECORD_ATOMIC_WRITE,
    RECORD_ATOMIC_RMW, // one that wrote
    // object: a mutex or readers–writer lock; a try or timed call that failed is recorded with RECORD_FAILED
    RECORD_LOCK,
    RECORD_LOCK_SHARED,
    RECORD_UNLOCK, // of either kind
    // object: a condition; other: the mutex, which is let go at the beginning and held again at the end
    RECORD_WAIT_BEGIN,
    RECORD_WAIT_END, // RECORD_FAILED: the time was over
    RECORD_SIGNAL,
    RECORD_BROADCAST,
    // object: a barrier; other: how many times it had opened before the thread came
    RECORD_BARRIER_ENTER,
    RECORD_BARRIER_LEAVE,
    // object: a semaphore; other: its value before the run, if known, in the first record (otherwise 0)
    RECORD_POST,
    RECORD_TAKE, // RECORD_FAILED: a try or timed call that got nothing
    // object: a once control
    RECORD_ONCE_BEGIN, // this thread runs the routine
    RECORD_ONCE_END,
    RECORD_ONCE_PASS, // it had been run
    // object: a thread
    RECORD_CREATE,
    RECORD_JOIN,
    // object: none (NOT_RECORDED)
    RECORD_BEGIN, // a thread's first record
    RECORD_END,   // and its last
    // object: a block
    RECORD_ALLOCATE,
    RECORD_RELEASE, // freed, unmapped, or the stack frame is gone
    // object: an enum region_kind; place: where it begins (of a function: the function itself)
    RECORD_REGION_BEGIN,
    RECORD_REGION_END,
    RECORD_KINDS
};

// Regions of the program that a user may take to be atomic. Those of one thread nest.
enum region_kind { REGION_FUNCTION, REGION_ROUND /* of a loop */, REGION_ATOMIC /* heddle_atomic_begin and _end */ };

enum record_flag {
    RECORD_FAILED = 1,
    RECORD_ACQUIRE = 2, // memory order of an atomic
    RECORD_RELEASES = 4,
    RECORD_TRIED = 8, // a try or timed call, which does not wait for ever
};

// One thing that a thread did. Long runs have many: 16 bytes each.
struct record {
    uint8_t kind;  // enum record_kind
    uint8_t flags; // enum record_flag
    uint16_t thread;
    uint32_t object; // what it is by `kind`
    uint32_t other;
    uint32_t place; // NOT_RECORDED: unknown
};

// What is known of a kind of record: one row each in recording.c.
struct record_info {
    const char *name; // as the text form spells it
    bool access, reads, writes, atomic;
};
extern const struct record_info record_table[RECORD_KINDS];

struct recorded_thread {
    const char *name;  // never null
    uint32_t parent;   // NOT_RECORDED: it was there at the beginning
    uint32_t number;   // how many threads its parent had created before it
    uint32_t *records; // its records, by their numbers in the recording; after recording_finish …
    uint32_t count;
};

enum block_kind { BLOCK_GLOBAL, BLOCK_HEAP, BLOCK_STACK, BLOCK_OTHER };

// Memory that came and goes as a whole: a global variable, one allocation, one frame. An address that is used again after a release
// belongs to a new block.
struct recorded_block {
    enum block_kind kind;
    const char *name;   // of a global: its symbol. Otherwise, how one can speak of it; never null
    const char *module; // of a global: the file that it is in; may be null
    uint64_t address;   // in this run
    uint64_t size;      // 0: unknown
    uint32_t place;     // where it was allocated
    uint32_t thread;    // by whom
    uint32_t nth;       // how many the thread had allocated there before
};

// Memory that is accessed as one. Variables of a finished recording do not overlap.
struct recorded_variable {
    uint32_t block;
    uint32_t size;
    uint64_t offset;
};

enum object_kind { OBJECT_MUTEX, OBJECT_RWLOCK, OBJECT_CONDITION, OBJECT_BARRIER, OBJECT_SEMAPHORE, OBJECT_ONCE };

struct recorded_object {
    enum object_kind kind;
    uint32_t block;
    uint64_t offset;
    uint32_t initial; // of a semaphore: its value before anybody used it
};

struct recorded_place {
    const char *function, *file; // null: unknown
    uint32_t line;               // 0: unknown
    const char *module;          // the file of the program or library it is in; may be null
    uint64_t pc;                 // in that file: return address of the hook; 0: unknown
};

// What an access found, and what it left.
struct recorded_values {
    uint64_t before, after;
    bool before_known, after_known;
};

struct recording {
    const char *path;      // what it was read from
    const char *program;   // what ran; null: unknown, or built from sources for this run
    char **arguments;      // ended by a null pointer; null: unknown
    char **sources;        // that the program was built from, and the compiler's flags; ended by null pointers …
    char **flags;          // … and null if it was not built for this run
    uint64_t code;         // of the program (code_identity.h); 0: unknown
    const char *directory; // in which it ran; null: unknown
    bool without_hooks;    // the program was not built by heddle cc, and what it reads and writes itself is not there
    const char *cut;       // why it does not go to the end of the run, in words; null: it does
    const char *doubt;     // what else a user should know, in sentences; null: nothing

    struct record *records;
    uint32_t count;
    size_t record_room;
    struct recorded_thread *threads;
    uint32_t thread_count;
    size_t thread_room;
    struct recorded_block *blocks;
    uint32_t block_count;
    size_t block_room;
    struct recorded_variable *variables;
    uint32_t variable_count;
    size_t variable_room;
    struct recorded_object *objects;
    uint32_t object_count;
    size_t object_room;
    struct recorded_place *places;
    uint32_t place_count;
    size_t place_room;
    struct recorded_values *values;
    uint32_t value_count;
    size_t value_room;

    struct table words, variable_keys, object_keys, place_keys; // of the builder
    bool finished;
};

struct recording *recording_new(void);
void recording_free(struct recording *r);

// A copy of the text that lives as long as the recording; null stays null.
const char *recording_word(struct recording *r, const char *text);

// Each returns a number that counts from 0. Threads and blocks are new each time; the others are found again if they are known.
// Text is copied. Thread numbers must fit into 16 bits: NOT_RECORDED is returned for one thread too many.
uint32_t recording_thread(struct recording *r, const char *name, uint32_t parent);
uint32_t recording_block(struct recording *r, const struct recorded_block *block);
uint32_t recording_variable(struct recording *r, uint32_t block, uint64_t offset, uint32_t size);
uint32_t recording_object(struct recording *r, enum object_kind kind, uint32_t block, uint64_t offset);
uint32_t recording_place(struct recording *r, const struct recorded_place *place);

void recording_add(struct recording *r, struct record record);
// For `other` of an access.
uint32_t recording_values(struct recording *r, struct recorded_values values);

// The values of a record; null: they are not known.
static inline const struct recorded_values *recording_values_of(const struct recording *r, const struct record *e)
{
    return record_table[e->kind].access && e->other ? &r->values[e->other - 1] : NULL;
}

// Makes variables that overlap one, takes accesses of wide ranges (as of memcpy) apart into the variables in it, and lists each
// thread's records. Nothing may be added afterwards.
void recording_finish(struct recording *r);

#endif
