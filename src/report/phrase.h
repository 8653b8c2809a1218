// Words for what is in a recorded run: one entry as an operation ("load x → 0"), one failure as a sentence.
#ifndef REPORT_PHRASE_H
#define REPORT_PHRASE_H

#include "report/names.h"
#include "report/style.h"

// What the entry did, with its object by name and the values.
void phrase_entry(struct names *n, const struct style *style, size_t entry, struct buffer *out);

// The operation alone, as JSON spells it: "load", "create", "note".
const char *phrase_operation(const struct trace_entry *e);

// Whether the entry has an object in memory; values it showed.
bool phrase_has_object(const struct trace_entry *e);
bool phrase_read_value(const struct trace_entry *e, uint64_t *value);

#endif
