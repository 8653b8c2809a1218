// A recorded run in memory (the file format is model/trace.h), and the questions a report asks of it.
//
// An *entry* is one record with its call stack and text, numbered in the order of the run. What was recorded is taken
// as it is: a location has a written value only if the run showed it.
#ifndef REPORT_TRACE_READ_H
#define REPORT_TRACE_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "check/bug.h"
#include "model/exec.h"
#include "model/trace.h"
#include "report/frame_index.h"

#define NO_ENTRY SIZE_MAX

struct trace_entry {
    struct trace_record record;
    const uint64_t *frames; // record.frames return addresses, innermost first
    const char *text;       // terminated; empty if there is none
};

// A block of the heap, from its allocation to its release.
struct trace_block {
    uint64_t address, size;
    size_t allocated, freed; // entries; freed is NO_ENTRY while it lives
};

// A function's frame on a stack, as it was from an entry on.
struct trace_frame {
    size_t entry;
    uint32_t actor;  // whose stack it is
    uint64_t pc;     // in the function, with this …
    uint64_t sp, fp; // … stack pointer and frame pointer
    uint64_t at;     // return address: where in the function the actor is, if it was known
    uint64_t low, end;
};

struct trace_lock {
    uint64_t address;
    size_t taken;   // entry of the lock that obtained it
    uint32_t depth; // how often it was taken
};

struct trace_actor {
    bool known;
    uint32_t parent, number; // the number-th child of its parent, from 0
    uint64_t handle;         // its pthread_t
    const char *name;        // what the program called it last; null if it never did
    size_t created, ended;   // entries, or NO_ENTRY
};

struct trace {
    struct trace_entry *entries;
    size_t count;
    struct trace_block *blocks; // by address, then by time
    size_t block_count;
    size_t *regions; // the entries at which regions of OpenMP begin
    size_t region_count;
    struct trace_frame *stack_frames; // by time
    size_t stack_frame_count;
    struct frame_index frame_index;
    struct trace_actor actors[MAX_ACTORS];
    uint64_t *frames; // all call stacks
    char *text;       // all texts
};

// Reads a file; null, and one sentence in `error`, if it is no whole trace.
struct trace *trace_load(const char *path, char *error, size_t room);
void trace_free(struct trace *t);

// Whether the entry reads or writes memory of the program, atomically or plainly.
bool trace_is_access(const struct trace_entry *e);
// Whether it is an operation on a lock, a condition variable, a semaphore or a barrier.
bool trace_uses(const struct trace_entry *e);
bool trace_releases(const struct trace_entry *e); // frees a block
bool trace_writes(const struct trace_entry *e);
// Whether an operation got what it asked for.
bool trace_succeeds(const struct trace_record *r);

// Whether the entry is an event that was scheduled: an operation of a thread that was alone, or needed no scheduling,
// carries the number of the event before it.
bool trace_is_scheduled(const struct trace *t, size_t entry);

// Whether an access touches these bytes (one byte if `size` is 0).
bool trace_touches(const struct trace_entry *e, uint64_t address, uint64_t size);

// What a write left behind, if the run showed it: volatile writes, and a plain one that is reported as wrong, are recorded
// before they happen, so that their value is seen at the next access to the same place.
bool trace_written(const struct trace *t, size_t entry, uint64_t *value);

// The entry that reports this failure; NO_ENTRY if the run did not get there.
size_t trace_failure(const struct trace *t, const struct bug *bug);

// The access that a failure at `failure` is about: it may have been recorded just before or just after.
size_t trace_failing_access(const struct trace *t, size_t failure);

// The newest access of `other` before `second` that touches these bytes, one of the two being a write (releasing the
// block counts as one), and one of them not atomic. NO_ENTRY if there is none.
size_t trace_first_access(const struct trace *t, size_t second, uint32_t other, uint64_t address, uint64_t size,
                          bool second_writes);

// The locks an actor held just before an entry, in the order in which it took them. Returns how many there were, and
// writes at most `room`.
size_t trace_locks(const struct trace *t, uint32_t actor, size_t entry, struct trace_lock *locks, size_t room);

// Who held a lock just before an entry, and since when; MAX_ACTORS if nobody.
uint32_t trace_holder(const struct trace *t, uint64_t lock, size_t entry, size_t *taken);

// The block that held this address when the entry was recorded, or the last one that had, or else one that ends just in front of it;
// null if there is none.
const struct trace_block *trace_block_at(const struct trace *t, uint64_t address, size_t entry);

// The frame that held this address when the entry was recorded, or the last one that had; null if none was seen.
const struct trace_frame *trace_frame_at(const struct trace *t, uint64_t address, size_t entry);

#endif
