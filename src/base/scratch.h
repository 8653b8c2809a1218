// The one directory in which heddle keeps temporary files. It is removed at the end, even if a signal ends heddle.
#ifndef BASE_SCRATCH_H
#define BASE_SCRATCH_H

#include <stdbool.h>
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

// The same of processes that have a folder each: from now on, or no longer.
void scratch_note_user(pid_t process, bool is_one);

// A new folder in the directory; false: errno says why not. scratch_drop removes it with all that is in it.
bool scratch_folder(char *path, size_t room);
void scratch_drop(const char *folder);

// This process, which another one started, keeps its temporary files in this folder, and leaves it to the other to remove it.
void scratch_move(const char *folder);

#endif
