// How a run differs from the golden one, thread by thread: the first deviation, and what came of it.
//
// After the first deviation of a thread, values that differ at the same place are values that flowed on; where the
// places differ the thread went another way, and records are missing or additional until both are back at the same places.
// An allocation more or less shifts the names of all later ones of its thread, so only the first deviation is certain.
//
// The record that says that the fault happened is no deviation where anything else of its thread is one.
#ifndef INJECT_DEVIATION_H
#define INJECT_DEVIATION_H

#include <stdio.h>

#include "inject/canonical_trace.h"

enum deviation_kind {
    DEVIATES_NOT,
    DEVIATES_IN_VALUE,
    DEVIATES_IN_OBJECT,   // the same instruction, at another object
    DEVIATES_IN_WAY,      // another instruction
    DEVIATES_BY_END,      // it ends earlier
    DEVIATES_BY_MORE,     // it goes on where the golden one ended
    DEVIATES_BY_ABSENCE,  // there is no such thread
    DEVIATES_BY_PRESENCE, // there is no such thread in the golden run
    DEVIATES_BY_FAULT,    // only by the record of the fault
    DEVIATION_KINDS
};

extern const char *const deviation_words[DEVIATION_KINDS];

struct thread_deviation {
    const struct canonical_thread *golden, *other; // one may be null
    enum deviation_kind kind;
    size_t at[2];                         // the first deviation, by records
    uint64_t values, objects;             // records with another value; at other objects
    uint64_t missing, additional, others; // records; how often it went another way
};

struct deviation {
    struct thread_deviation *threads; // those that deviate, the earliest first by its place in its thread
    size_t count, room;
    uint64_t *reached; // objects that had another value, each once
    size_t reached_count, reached_room;
};

void deviation_find(const struct canonical_trace *golden, const struct canonical_trace *other, struct deviation *d);
void deviation_free(struct deviation *d);

void deviation_print(struct canonical_trace *golden, struct canonical_trace *other, const struct deviation *d,
                     FILE *out);

// Calls `tell` for each record of the other run by which another value, or another object, was accessed: the thread and the
// record's number.
void deviation_each(const struct thread_deviation *t,
                    void (*tell)(void *context, const struct canonical_thread *thread, size_t at), void *context);

#endif
