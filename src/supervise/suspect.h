// What may make a program do something else each time it is run the same way.
#ifndef SUPERVISE_SUSPECT_H
#define SUPERVISE_SUSPECT_H

#include "base/buffer.h"
#include "job/job.h"

// Appends the likeliest source, as the end of a sentence: what the program's own instructions read that heddle does not
// see, else a function it calls that heddle does not know, else what remains.
void suspect_add(const char *program, const struct job *job, struct buffer *out);

#endif
