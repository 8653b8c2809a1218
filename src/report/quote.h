// Words for a command line that can be copied into a shell.
#ifndef REPORT_QUOTE_H
#define REPORT_QUOTE_H

#include <stdio.h>

#include "base/buffer.h"

// Appends a file's name as one word, in quotes only if it needs them, and never to be taken for an option.
void quote_file(struct buffer *out, const char *name);

// Prints a command and a file's name, quoted in the same way.
void quote_print(FILE *out, const char *command, const char *name);

#endif
