// Files that the program may read as they are when the search begins (--allow PATH, --stdin FILE). Each is copied once, and every execution
// reads the copy: what changes it meanwhile makes no difference.
#ifndef SUPERVISE_KEPT_FILES_H
#define SUPERVISE_KEPT_FILES_H

#include "job/task.h"

// Copies a file, or a folder with what is in it. Null, or why that is not possible: the end of a sentence that begins with the path.
const char *kept_files_add(struct surroundings *outside, const char *path);

// The same for a file, or what is left of heddle's own standard input (-), that the program is to find on its standard input.
const char *kept_files_add_input(struct surroundings *outside, const char *path);

#endif
