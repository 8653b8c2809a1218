// Where this heddle's own files are: found from the place of the running command, so that a tree that was built, one
// that was installed and one that was moved all work without being told.
#ifndef BUILD_INSTALLATION_H
#define BUILD_INSTALLATION_H

#include <limits.h>

#define INSTALLATION_RUNTIME_VARIABLE                                                                                  \
    "HEDDLE_RUNTIME_DIR" // environment: use the libheddle.so in this directory instead

struct installation {
    char runtime_dir[PATH_MAX]; // holds libheddle.so; empty if there is none
    char include_dir[PATH_MAX]; // holds heddle/*.h; empty if there is none
};

// Status 0, or 2 after one sentence if the command cannot find out where it is itself.
int installation_find(struct installation *installation);

#endif
