// What makes two reports the same bug, in words that survive other lines, other addresses and another build: the kind, the
// functions and the memory or locks involved, the assertion's condition, the file's base name. Also the names by which a
// user may call the bug in a suppression.
#ifndef REPORT_BUG_IDENTITY_H
#define REPORT_BUG_IDENTITY_H

#include "report/finding.h"

#define IDENTITY_VERSION 1 // grows when the same bug gets other words

struct identity {
    uint32_t kind;        // enum bug_kind
    struct buffer text;   // one line
    uint64_t fingerprint; // of the text
    char **names;         // functions on the stacks involved, memory, locks
    size_t name_count, name_room;
};

// `test` is the name of the running test, or null: a test's own function has no name of its own.
void identity_make(struct identity *id, struct finding *f, const char *test);
void identity_free(struct identity *id);

// Whether one of its names fits the pattern (base/glob.h).
bool identity_is_called(const struct identity *id, const char *pattern);

#endif
