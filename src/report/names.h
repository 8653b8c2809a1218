// What a report calls things: threads by how they were created, memory by variable or heap block, values by type.
//
// Blocks of the heap get a number in the order in which they are first named ("heap1"), and so does memory that the program
// mapped ("mapping1"); with it comes a line of explanation that the report prints below; their type is taken from a pointer variable that was seen to hold them, or from
// the place where they were allocated.
#ifndef REPORT_NAMES_H
#define REPORT_NAMES_H

#include "job/job.h"
#include "report/pieces.h"
#include "report/symbols.h"
#include "report/trace_read.h"

// Of which kind a name is that was given to memory. The number of a name and its kind are one number, names_label.
enum label_kind { LABELS_HEAP, LABELS_MAPPING, LABELS_KINDS };

struct names_block {
    uint32_t label; // 0: not named so far
    uint32_t inner; // whether it belongs to the C++ library: 0 not looked at, 1 no, 2 yes
    bool typed;
    Dwarf_Die type;
};

struct names {
    const struct trace *trace;     // may be null
    const struct job *job;         // may be null
    struct symbols *symbols;       // null without a trace
    struct names_block *blocks;    // one per block of the trace
    struct pieces pieces;          // of blocks
    bool *aside;                   // by entry: a step of the test framework's; null if the program uses none
    uint32_t labels[LABELS_KINDS]; // how many were given
};

void names_open(struct names *n, const struct trace *trace, const struct job *job);
void names_close(struct names *n);

// Whether a step is one that a test framework takes for itself.
static inline bool names_is_aside(const struct names *n, size_t entry)
{
    return n->aside && n->aside[entry];
}

// "main", "T2", "T2.1": the path of creation.
void names_thread_path(const struct names *n, uint32_t actor, struct buffer *out);

// The same, with the name that the program gave it: "T2 (logger)".
void names_thread(const struct names *n, uint32_t actor, struct buffer *out);

// What the program called it, or null.
const char *names_thread_name(const struct names *n, uint32_t actor);

// The short name of memory at the time of an entry: a variable or part of it, "heap1.next", or the address. True if
// *type was found.
bool names_data(struct names *n, uint64_t address, uint64_t size, size_t entry, struct buffer *out, Dwarf_Die *type);

// A value that was at such a place; `type` may be null. `entry` dates addresses that the value may be.
void names_value(struct names *n, Dwarf_Die *type, uint64_t value, uint32_t size, size_t entry, struct buffer *out);

// What the name "heapN" or "mappingN" stands for: a block, or a piece of one.
void names_label_site(struct names *n, enum label_kind kind, uint32_t number, struct buffer *out);

// "heap", "mapping"
const char *names_label_word(enum label_kind kind);

// Whether a block is memory that the program mapped.
bool names_is_mapping(const struct names *n, const struct trace_block *block);

// For sentences: "+8 in 32 bytes (struct node) from malloc at queue.c:41 by T1".
void names_block_site(struct names *n, const struct trace_block *block, struct buffer *out);
void names_heap(struct names *n, const struct trace_block *block, uint64_t address, struct buffer *out);

// "file:line" of a return address; false if unknown.
bool names_place(const struct names *n, uint64_t pc, struct buffer *out);

// The call stack of an entry, innermost first, without heddle's own functions. Returns how many return addresses were
// written.
size_t names_stack(const struct names *n, const struct trace_entry *e, uint64_t *stack, size_t room);

// Where the object of descriptors that has this address was made, or NO_ENTRY.
size_t names_made(const struct names *n, uint64_t address);

// Whether memory has a name, not only an address.
bool names_knows(const struct names *n, uint64_t address, size_t entry);

// Whether an access means something to the reader: the memory has a name, and does not only say which thread to join.
bool names_tells(const struct names *n, size_t entry);

// Whether an access says nothing of what the user wrote: to what std::thread keeps of the call to be made, to a variable of
// the C library, or to the pointer by which virtual functions are found.
bool names_is_inner(struct names *n, size_t entry);

// Whether it is to the stack of the thread itself.
bool names_is_own(const struct names *n, size_t entry);

#endif
