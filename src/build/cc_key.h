// What a program that heddle builds depends on, as a key: two builds with one key make the same program.
//
// In the key are what the preprocessor makes of each source, so that every header and macro is in it, the sources as they are
// (for columns in reports), the command lines, the directory, the compiler, the assembler and the linker, the C library, this
// heddle and its runtime, and the environment as far as these read it. Builds with anything else in them have no key: objects and
// libraries other than the system's own, precompiled headers, plugins, linker scripts, files that the assembler includes,
// profiles, macros in the debug information, and whatever writes more files than one.
#ifndef BUILD_CC_KEY_H
#define BUILD_CC_KEY_H

#include <stdbool.h>

#include "build/cc_line.h"
#include "build/installation.h"
#include "build/program_cache.h"

struct cc_key;

// Null if what this line makes cannot be known by a key.
struct cc_key *cc_key_new(const struct line *line, const struct strings *compiler,
                          const struct installation *installation);

// A command that makes the program. Words that begin with the name of the directory `scratch` are left out: it has another
// name each time.
void cc_key_add_command(struct cc_key *key, const struct strings *command, const char *scratch);

// A source and what the preprocessor made of it. False: what is made of it is not known by that.
bool cc_key_add_source(struct cc_key *key, const char *source, const char *preprocessed);

// The key; releases what it was made with.
struct program_key cc_key_end(struct cc_key *key);
void cc_key_free(struct cc_key *key);

#endif
