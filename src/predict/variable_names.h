// What variables, locks, places and threads of a recording are called in reports.
#ifndef PREDICT_VARIABLE_NAMES_H
#define PREDICT_VARIABLE_NAMES_H

#include "base/buffer.h"
#include "trace/recording.h"

// A name that is the same in every run: symbol and offset, or for memory from malloc where it was allocated.
void variable_class_name(const struct recording *r, uint32_t variable, struct buffer *out);

// Names for people.
void variable_name(const struct recording *r, uint32_t variable, struct buffer *out);
void object_name(const struct recording *r, uint32_t object, struct buffer *out);
void place_name(const struct recording *r, uint32_t place,
                struct buffer *out); // "file:line (function)"; nothing if unknown
void place_short(const struct recording *r, uint32_t place, struct buffer *out); // "file:line"

#endif
