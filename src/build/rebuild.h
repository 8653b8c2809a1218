// A program's sources, to be read as the compiler sees them, and built again with another text for one of them.
#ifndef BUILD_REBUILD_H
#define BUILD_REBUILD_H

#include <stddef.h>

struct rebuild {
    const char *const *sources, *const *flags; // that the program was built from; both end with null
    char *scratch;                             // a directory, once there is need for one
    char *changed, *program;                   // in it
};

// Which of the sources this file is, by whatever path; -1: none.
int rebuild_find(const struct rebuild *rebuild, const char *file);

// Texts that the caller frees; null if there is none.
char *rebuild_text(const struct rebuild *rebuild, int source);
char *rebuild_preprocessed(struct rebuild *rebuild, int source);

// The program with this text for the source; null if it does not compile. Good until the next one and rebuild_close.
const char *rebuild_with(struct rebuild *rebuild, int source, const char *text);

void rebuild_close(struct rebuild *rebuild);

#endif
