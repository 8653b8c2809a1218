// A copy of a directory and everything below it that can be restored again and again. It does not use malloc, which
// belongs to the program under test.
#ifndef BASE_TREE_H
#define BASE_TREE_H

#include <stdint.h>

struct tree {
    const char *from, *to;      // the directory and its copy
    struct tree_entry *entries; // what is in it, folders before their contents
    uint32_t count;
    char *names;
    uint32_t names_used;
    uint32_t *table; // by path
};

// Copies files, folders, symbolic links and named pipes below `from` into the empty directory `to`, at most `most` bytes. The
// folder `except`, in which the copy is, is left out should it be there. Null, or one sentence saying why not.
const char *tree_copy(const char *from, const char *to, const char *except, uint64_t most);

// Looks at a copy that nothing has changed yet. The paths must stay. Null, or why not.
const char *tree_look(struct tree *tree, const char *from, const char *to);

// Puts the copy back to what it was then. Null, or why not.
const char *tree_restore(struct tree *tree);

// Removes all that is in a directory.
void tree_empty(const char *directory);

#endif
