// One C file as a shared object that heddle loads into itself: a model, a protocol. It has no hooks of the programs under
// test. It stands in a directory of its own, which may be removed once it is loaded.
#ifndef BUILD_LOADABLE_H
#define BUILD_LOADABLE_H

#include "base/strings.h"

// Zero-initialised is none.
struct loadable {
    char *directory, *object;
};

// Compiles the source with loadable_compiler, heddle's `own` flags (may be null) and the user's, which blanks part (may be
// null). Libraries come behind the source. Returns the compiler's status, or -1, after one sentence, if it never came to that.
int loadable_build(struct loadable *loadable, const char *source, const struct strings *own, const char *flags);

// Where it will stand; null after one sentence if there is no place.
const char *loadable_directory(struct loadable *loadable);

void loadable_remove(struct loadable *loadable);

// HEDDLE_CC, or gcc; maybe with flags behind it.
const char *loadable_compiler(void);

#endif
