// Places in one function that read the same: which of them a bug is at, counted in the source, so that other lines may come and
// go. Without the source it is the line, counted from the function's first.
#ifndef REPORT_OCCURRENCE_H
#define REPORT_OCCURRENCE_H

#include "base/buffer.h"
#include "report/symbols.h"

// Appends " (2 of 3)" if there are several; nothing if the place is the only one. Alike are lines with the same text and, if
// `condition` is not null, those that assert the same.
void occurrence_add(const struct symbols_place *place, const char *condition, struct buffer *out);

#endif
