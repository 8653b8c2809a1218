// What the monitor of quorum trees says, in words: rounds, and a violation as one sentence that names both events.
#ifndef CONSENSUS_QTREE_WORDS_H
#define CONSENSUS_QTREE_WORDS_H

#include "base/buffer.h"
#include "consensus/quorum_tree.h"

// How the numbers in events are called. Each adds to the text; an origin as it goes on behind a verb: " at line 9".
struct qtree_names {
    void (*instance)(const void *context, uint64_t instance, struct buffer *text);
    void (*value)(const void *context, uint64_t value, struct buffer *text);
    void (*origin)(const void *context, uint64_t origin, struct buffer *text);
    const void *context;
};

// "3", or "3:12" of a pair.
void qtree_word_round(struct qtree_round round, struct buffer *text);

// The instance is named if there are several.
void qtree_word_violation(const struct qtree *tree, const struct qtree_names *names, const struct qtree_violation *v,
                          struct buffer *text);

#endif
