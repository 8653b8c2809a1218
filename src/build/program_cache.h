// Programs that heddle built from sources, kept for the next time: most of a small check is the compiler. A program is known by a
// key made of everything that goes into it; build/cc_key.h says what that is.
//
// They lie in HEDDLE_CACHE, or $XDG_CACHE_HOME/heddle, or ~/.cache/heddle, in a folder that nobody else may write to. Each has
// a checksum, is written under another name first, and counts for nothing if it is damaged. Beyond 256 MiB those that were used
// least recently go. Where nothing can be kept, nothing is, and nothing is said of it.
#ifndef BUILD_PROGRAM_CACHE_H
#define BUILD_PROGRAM_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#define PROGRAM_CACHE_VARIABLE "HEDDLE_CACHE" // environment: the folder, or "off"

struct program_key {
    uint64_t low, high;
};

// Whether there is a folder to keep programs in, made at the first call.
bool program_cache_is_there(void);

// Writes the program with this key to `path`. False: there is none, and no such file.
bool program_cache_fetch(const struct program_key *key, const char *path);

void program_cache_keep(const struct program_key *key, const char *path);

#endif
