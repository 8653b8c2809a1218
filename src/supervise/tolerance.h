// Bugs that do not fail a check: the known ones of a baseline, and those that the user suppresses.
//
// A baseline is written by heddle: a line "heddle baseline 1", then a line for each bug with its fingerprint and its
// words (report/bug_identity.h). Suppressions are written by people: lines KIND:PATTERN, where KIND is a kind of bug or `*`,
// and the pattern fits a function or a variable. In both, lines that begin with # are comments.
//
// With a baseline or suppressions the job *asks*: at a bug that is new to it the worker waits until the supervisor has
// ruled. The supervisor has the run recorded once, makes its identity and looks it up. Only a bug that is neither known
// nor suppressed ends the search. So that one bug does not hide another, `tell_apart` makes races on the same memory
// differ by place and thread; deadlocks always differ by the places of the threads that wait for one another. Places in
// one function that read the same are told apart by their number in the source (report/occurrence.h); if one is added,
// all get other numbers, since nobody knows which is the old one. The identity is always made from the run as it was
// found, never from the shrunk one, since shrinking depends on time.
//
// What is tolerated is taken out of the job at once (aside.h), and only its signature stays (tolerated.h). A misuse of
// a call stops its thread until it is tolerated. From then on the call does what glibc's does, so the executions are
// other ones, and the search begins anew. A lock may then be let go by a thread that does not hold it: that is an
// event, unlocking is visible, and exec.any_unlocks tells `dpor` that a lock and an unlock can be possible at once.
// Failures for which there is no room make the verdict *incomplete*.
#ifndef SUPERVISE_TOLERANCE_H
#define SUPERVISE_TOLERANCE_H

#include <stdbool.h>
#include <stdio.h>

#include "report/bug_identity.h"
#include "supervise/shelf.h"

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

// What has been ruled on with `from`, a copy of `t` as it was, is taken over.
void tolerance_merge(struct tolerance *t, const struct tolerance *from);

// A copy in shared memory, to be read only.
const struct tolerance *tolerance_copy(struct shelf *shelf, const struct tolerance *t);

// All bugs that were ruled on and not suppressed, and what the baseline had before. 0, or -1 with errno set.
int tolerance_write_baseline(const struct tolerance *t, FILE *file);

// The next suppression that no bug has met, from *at on; null if there is none. And how many bugs of the baseline
// were not seen.
const char *tolerance_unused(const struct tolerance *t, size_t *at);
size_t tolerance_unseen(const struct tolerance *t);

#endif
