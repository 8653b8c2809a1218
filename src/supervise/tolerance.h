// Bugs that do not fail a check: the known ones of a baseline, and those that the user suppresses.
//
// A baseline is written by heddle: a line "heddle baseline 1", then a line for each bug with its fingerprint and its
// words (report/identity.h). Suppressions are written by people: lines KIND:PATTERN, where KIND is a kind of bug or `*`,
// and the pattern fits a function or a variable. In both, lines that begin with # are comments.
#ifndef SUPERVISE_TOLERANCE_H
#define SUPERVISE_TOLERANCE_H

#include <stdbool.h>
#include <stdio.h>

#include "report/identity.h"

enum ruling { RULING_NEW, RULING_KNOWN, RULING_SUPPRESSED };

struct tolerance;

struct tolerance *tolerance_new(void);
void tolerance_free(struct tolerance *t);

// Null, or after `wrong` was filled in a sentence that says what is wrong with the file.
const char *tolerance_read_baseline(struct tolerance *t, FILE *file, char *wrong, size_t room);
const char *tolerance_read_suppressions(struct tolerance *t, FILE *file, char *wrong, size_t room);

// What becomes of a bug. *rule is the suppression as it was written (or null), and belongs to `t`. The bug is kept for
// tolerance_write_baseline.
enum ruling tolerance_rule(struct tolerance *t, const struct identity *id, const char **rule);

// All bugs that were ruled on and not suppressed, and what the baseline had before. 0, or -1 with errno set.
int tolerance_write_baseline(const struct tolerance *t, FILE *file);

// The next suppression that no bug has met, from *at on; null if there is none. And how many bugs of the baseline
// were not seen.
const char *tolerance_unused(const struct tolerance *t, size_t *at);
size_t tolerance_unseen(const struct tolerance *t);

#endif
