// Whether a variable is written before it is read wherever a part of a function uses it, as the text shows it.
#ifndef REPAIR_OMP_DOMINANCE_H
#define REPAIR_OMP_DOMINANCE_H

#include "repair/omp_source.h"

// Whether every use in `part` comes after a write in `part`, and no use in the rest of the function sees what was written in
// `part`. `lasting`: the variable keeps its value until the function is called again. The function has no goto and no switch.
bool omp_is_written_first(const struct c_tokens *s, struct c_extent function, struct c_extent part, const char *name,
                          bool lasting);

// Whether another function of the source mentions the variable.
bool omp_is_used_elsewhere(const struct c_tokens *s, struct c_extent function, const char *name);

#endif
