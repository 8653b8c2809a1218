// Theorem 8 of seed 001, read as it stands: every property is asked of every pair of events of one instance.
#ifndef FUZZ_QTREE_NAIVE_H
#define FUZZ_QTREE_NAIVE_H

#include "consensus/quorum_tree.h"

struct naive_rules {
    enum qtree_values values;
    bool witnesses;
};

// Whether the first `count` events are a correct sequence.
bool naive_is_right(const struct naive_rules *rules, const struct qtree_event *events, int count);

// Whether what is said of the event at `at`, up to which all was right, is so.
bool naive_agrees(const struct naive_rules *rules, const struct qtree_event *events, int at,
                  const struct qtree_violation *violation);

// What Lemma 8 says of the round that is added at `at`, after `count` events that are right.
enum qtree_status naive_status(const struct qtree_event *events, int count, int at);

#endif
