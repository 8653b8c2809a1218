// Files that the program may read as they are when the search begins (--allow PATH). Each is copied once, and every execution
// reads the copy: what changes it meanwhile makes no difference.
#ifndef SUPERVISE_KEPT_FILES_H
#define SUPERVISE_KEPT_FILES_H

#include "job/task.h"

// Copies a file, or a folder with what is in it. Null, or why that is not possible: the end of a sentence that begins with the path.
const char *kept_files_add(struct surroundings *outside, const char *path);

#endif
