// A directory in which a search is kept, so that it can go on after heddle has ended, however that was.
//
// The file `search` in it is whole at any moment: it is written under another name, brought to the disk, and takes the place of the
// one before it in one step. It has the version of heddle, and a checksum over all that comes behind. Whoever searches has a lock on
// the file `lock`, which goes away with the process. For the command only.
#ifndef SPREAD_SAVE_FILE_H
#define SPREAD_SAVE_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/buffer.h"

struct save_file {
    const char *directory;
    int lock; // descriptor, or -1
};

// All of these return null, or what is wrong in words that follow the name of the directory.

// For a new search: makes the directory if there is none, and locks it. Wrong if it holds a search already.
const char *save_file_create(struct save_file *save, const char *directory);

// For a search to go on: locks it.
const char *save_file_open(struct save_file *save, const char *directory);
void save_file_close(struct save_file *save);

// `engine` tells one build of heddle from another.
const char *save_file_write(const struct save_file *save, uint64_t engine, const struct buffer *body);
const char *save_file_read(const char *directory, uint64_t engine, struct buffer *body);

// The process that has the lock; 0 if nobody has.
pid_t save_file_user(const char *directory);

// When the search was last saved, in seconds since 1970; -1 if it never was.
double save_file_time(const char *directory);

// A number that changes with the contents of a file. False if it cannot be read.
bool save_file_hash(const char *path, uint64_t *hash);

#endif
