// A canonical trace that is read from its folder (model/canonical.h).
#ifndef INJECT_CANONICAL_TRACE_H
#define INJECT_CANONICAL_TRACE_H

#include <stddef.h>

#include "base/buffer.h"
#include "model/canonical.h"
#include "model/injection.h"

struct canonical_thread {
    char *name; // "T2.1"
    uint64_t path;
    const struct canonical_record *records;
    size_t count, mapped;
};

struct symbols;

struct canonical_trace {
    struct canonical_thread *threads; // in the order of their names
    size_t count, room;
    char *modules[INJECTION_MODULES]; // paths
    uint32_t module_count;
    struct symbols *symbols[INJECTION_MODULES]; // made when asked for
};

// Null, or what is wrong with it.
const char *canonical_read(struct canonical_trace *t, const char *folder);
void canonical_free(struct canonical_trace *t);

// What the run's modules were, as the trace has to know them later. False: it could not be written.
bool canonical_note_modules(const char *folder, const struct injection_block *block, const char *program);

const struct canonical_thread *canonical_find(const struct canonical_trace *t, uint64_t path);

// "table.c:40 (add)"
void canonical_place(struct canonical_trace *t, uint64_t what, struct buffer *out);
const char *canonical_function(struct canonical_trace *t, uint64_t what); // null: not known

// "heap T1#3+8", "global counter", "stack T1-0x40"
void canonical_object(struct canonical_trace *t, uint64_t object, struct buffer *out);

// One record in words: "write heap T1#3+8 = 5 at table.c:40 (add)"
void canonical_record_words(struct canonical_trace *t, const struct canonical_record *r, struct buffer *out);

// Takes away such a folder.
void canonical_remove(const char *folder);

#endif
