// What a program printed while its threads were held back, beside what it prints otherwise.
#ifndef PREDICT_HELD_OUTPUT_H
#define PREDICT_HELD_OUTPUT_H

#include <stdbool.h>
#include <stdint.h>

// Whether none of the runs in which nobody was held back printed this.
bool output_is_new(const char *held, char *const *free_runs, uint32_t count);

// What a reader should know of it, or null if that is nothing: all runs print the same, or each prints something else. *differs tells
// whether no run prints this in which nobody is held back. Free the text.
char *output_remark(const char *held, char *const *free_runs, uint32_t count, bool *differs);

#endif
