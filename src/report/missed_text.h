// Words for a write that going back by undo missed (model/missed.h).
#ifndef REPORT_MISSED_TEXT_H
#define REPORT_MISSED_TEXT_H

#include "base/buffer.h"
#include "job/job.h"

// Appends what job->learnt.missed is about: "the write to s by T1 at x.c:4 (A)", as far as it is known. `program` is where names
// come from.
void missed_phrase(const struct job *job, const char *program, struct buffer *out);

// Whether it was surely the program that wrote, as opposed to heddle's having lost what it keeps itself. A stack may hold what
// registers happened to have in them: there it was only if somebody was seen to write.
bool missed_is_write(const struct missed *m);

#endif
