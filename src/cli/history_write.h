// How heddle history hands over its report, whatever the history is of: text on standard output, JSON in a file.
#ifndef CLI_HISTORY_WRITE_H
#define CLI_HISTORY_WRITE_H

#include <stdbool.h>
#include <stdio.h>

struct history_writer {
    const void *report;
    void (*text)(FILE *out, const void *report, bool colour);
    int (*json)(FILE *out, const void *report); // 0, or -1 if it could not be written
};

// `json` is the path of the JSON; null: none; "-": standard output, and no text. Returns 0, or 2 after a sentence that says what
// could not be written.
int history_write(const struct history_writer *writer, const char *json);

#endif
