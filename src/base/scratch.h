// The one directory in which heddle keeps temporary files. It is removed at the end, even if a signal ends heddle.
#ifndef BASE_SCRATCH_H
#define BASE_SCRATCH_H

#include <stddef.h>
#include <sys/types.h>

// Where it is, below TMPDIR; made at the first call. If that is not possible, a sentence, and heddle ends with status 2.
const char *scratch_directory(void);

// A new file in it, opened for reading and writing; its path. -1: errno says why not.
int scratch_file(char *path, size_t room);

// Removes it if it is empty, for what takes long and does not need it.
void scratch_tidy(void);

// From now on the first signal that would end heddle asks for it (base/interrupt.h), and the second one removes all this.
void scratch_watch(void);

// A process that may write there, or 0: if a signal ends heddle, it ends first.
extern volatile pid_t scratch_user;

#endif
