// Words for where a repeated execution went another way (model/difference.h).
#ifndef REPORT_DIFFERENCE_TEXT_H
#define REPORT_DIFFERENCE_TEXT_H

#include "base/buffer.h"
#include "job/job.h"

// The same difference in two pieces: what was to happen and what happened. `program` is where names come from.
void difference_sides(const struct job *job, const char *program, struct buffer *expected, struct buffer *seen);

// One sentence without a full stop.
void difference_sentence(const struct job *job, const char *program, struct buffer *out);

// As JSON and in these words: "operation", "outcome", "blocked", "end".
const char *difference_kind(const struct difference *d);

#endif
