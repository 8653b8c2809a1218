// The files that count as output of a program, as they were before its first run: each run finds them so, or a run that
// writes nothing would be taken for one that wrote what an earlier one did.
#ifndef INJECT_OUTPUTS_H
#define INJECT_OUTPUTS_H

#include <stddef.h>
#include <sys/types.h>

struct output_file {
    const char *path; // null: nothing that could be put back, such as a device
    char *bytes;      // null: there was no such file
    size_t size;
    mode_t mode;
};

struct outputs {
    struct output_file *files;
    size_t count;
};

// `paths`: ended by null, or null. Null, or what is wrong.
const char *outputs_keep(struct outputs *o, char **paths);
const char *outputs_restore(const struct outputs *o);
void outputs_free(struct outputs *o);

#endif
