// Directives put into a source: its new text, and the same as a patch.
#ifndef REPAIR_OMP_EDITS_H
#define REPAIR_OMP_EDITS_H

#include "repair/omp_directives.h"

enum { OMP_EDITS = 8 };

struct omp_edits {
    struct omp_directive directive[OMP_EDITS]; // by their lines
    uint32_t count;
};

// Adds a directive. False if there are too many, or if the line of the text cannot be changed for certain: it has a directive
// of several lines or a comment, or comes from a macro.
bool omp_edits_add(struct omp_edits *edits, const char *text, const struct omp_directive *directive);

// The text with them; the caller frees it.
char *omp_edits_apply(const struct omp_edits *edits, const char *text);

// The same as a unified diff for a file of this name.
char *omp_edits_diff(const struct omp_edits *edits, const char *text, const char *name);

// Which line of the text became this line of the changed text.
uint32_t omp_edits_old_line(const struct omp_edits *edits, uint32_t line);

#endif
