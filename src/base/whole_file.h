// A file that a command writes from its beginning to its end. It takes the place of an older one only when all of it is there: if the
// disk is full, the older one stays, and no part of the new one does.
#ifndef BASE_WHOLE_FILE_H
#define BASE_WHOLE_FILE_H

#include <stdbool.h>
#include <stdio.h>

struct whole_file {
    FILE *out;
    char *path, *part; // part: where it is until it is whole; null for what cannot be replaced, such as a device
};

// Null, with errno, if nothing can be written there.
FILE *whole_file_open(struct whole_file *f, const char *path);

// The same, but "-" is standard output, which stays open.
FILE *whole_file_or_output(struct whole_file *f, const char *path);

// `good`: all of it was written, as far as the writer knows. 0; or -1, with errno, and the file is not there.
int whole_file_close(struct whole_file *f, bool good);

#endif
