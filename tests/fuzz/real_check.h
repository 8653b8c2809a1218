// What is checked of one real program.
#ifndef FUZZ_REAL_CHECK_H
#define FUZZ_REAL_CHECK_H

#include "fuzz/real_plain.h"
#include "fuzz/real_run.h"
#include "fuzz/real_sync.h"

enum real_family { SYNC, PLAIN_REPORT, PLAIN_EXPLORE };

struct real_kind {
    const char *name;
    enum real_family family;
    uint32_t language; // of its family
    bool exact;        // one execution per trace
};

struct real_case {
    const struct real_kind *kind;
    uint64_t seed;
    struct real_sync sync;
    struct real_plain plain;
};

struct real_course {
    bool skipped; // too large for the enumeration
    bool alike;   // threads took each other's places in some state
};

// Whether threads of the program run one function, and may be alike.
bool real_has_kin(const struct real_kind *kind);

// Says what is wrong with the program, which is number `k` of its file: a text to be freed, or null.
char *real_check(const struct real_case *c, const struct real_place *place, uint32_t k, struct real_course *course);

#endif
