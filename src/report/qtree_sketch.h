// A quorum tree as rows for people: each round is a row, and what follows it stands below it in the same column.
//
// Of the children of a round, the one on the way to what is committed goes on in its column; if there is none, the one with most
// below it. The others are branches, which stand to the right, between the two. So no row stands further to the right than
// the logarithm of the number of rounds, plus one.
//
// Long stretches of rounds that are all alike are one row that says how many they are. So is what goes beyond a few hundred rows,
// unless it is part of the violation.
#ifndef REPORT_QTREE_SKETCH_H
#define REPORT_QTREE_SKETCH_H

#include "consensus/qtree_words.h"

struct qtree_row {
    uint32_t node;   // QTREE_NOBODY: a row for several
    uint32_t hidden; // how many
    uint32_t depth;
    uint32_t parent; // the row of its parent, or of what hides it; its own of the root
    bool begins;     // a branch
    bool is_marked;  // it is part of the violation
};

struct qtree_sketch {
    struct qtree_row *rows;
    uint32_t count;
    uint32_t hidden; // in all
};

// What hangs on what, for all instances.
struct qtree_shape {
    uint32_t *first, *next; // children, in ascending order of rounds
    uint32_t *main;         // the child that goes on in the column, or QTREE_NOBODY
};

void qtree_shape_make(struct qtree_shape *shape, const struct qtree *tree);
void qtree_shape_free(struct qtree_shape *shape);

// The round that comes behind this one in its instance, where parents come before their children; QTREE_NOBODY: it was the last.
uint32_t qtree_shape_next(const struct qtree_shape *shape, const struct qtree *tree, uint32_t node);

// `violation` is one of this instance, or null.
void qtree_sketch_make(struct qtree_sketch *sketch, const struct qtree *tree, const struct qtree_shape *shape,
                       uint32_t instance, const struct qtree_violation *violation);
void qtree_sketch_free(struct qtree_sketch *sketch);

#endif
