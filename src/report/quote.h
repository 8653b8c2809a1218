// Words for a command line that can be copied into a shell.
#ifndef REPORT_QUOTE_H
#define REPORT_QUOTE_H

#include "base/buffer.h"

// Appends a file's name as one word, in quotes only if it needs them, and never to be taken for an option.
void quote_file(struct buffer *out, const char *name);

#endif
