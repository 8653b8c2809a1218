// A source with a new mutex around some of its statements.
#ifndef REPAIR_LOCK_PATCH_H
#define REPAIR_LOCK_PATCH_H

#include <stddef.h>

#include "repair/statements.h"

// `text` with all of the runs, which must not overlap, under one mutex. The caller frees it.
char *lock_patch_apply(const char *text, const struct statement_run *runs, size_t count);

// The same as a unified diff for a file of this name.
char *lock_patch_diff(const char *name, const char *text, const struct statement_run *runs, size_t count);

#endif
