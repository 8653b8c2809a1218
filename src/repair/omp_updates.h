// Statements that change a variable in a way in which the order of several does not matter: sums, products, minima and the like.
#ifndef REPAIR_OMP_UPDATES_H
#define REPAIR_OMP_UPDATES_H

#include "repair/omp_source.h"

struct omp_update {
    struct c_extent place; // what is changed: a variable, an element, a member
    const char *symbol;    // as a reduction clause has it: "+", "min", …
};

// Whether the statement that begins at `first` is such an update and nothing else.
bool omp_read_update(const struct c_tokens *s, uint32_t first, struct omp_update *update);

// Whether it is one of this very variable.
bool omp_updates_variable(const struct c_tokens *s, const struct omp_update *update, const char *name);

// Whether evaluating the tokens changes nothing: no assignment, no call but of functions like fabs.
bool omp_changes_nothing(const struct c_tokens *s, struct c_extent range);

#endif
