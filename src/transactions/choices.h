// Pairs of versions of one key whose order nobody saw: one of the two comes first. Looks for choices that close no
// circle.
//
// A choice adds the edges of dependencies_of_order. First every choice is made in the direction that the moving order
// already has, which nearly always works where there is an order at all. If that fails, choices with only one possible
// direction are made until there are no more of them; the rest is tried, within bounds.
#ifndef TRANSACTIONS_CHOICES_H
#define TRANSACTIONS_CHOICES_H

#include "transactions/cycle.h"
#include "transactions/moving_order.h"

// Which of two chains of versions comes first; each is named by the version that begins it.
struct order_choice {
    uint32_t first, second; // versions
    int8_t made;            // 0: the first comes first, 1: the second does, -1: open
};

// A choice that had only one way left, and the circle that the other would have closed.
struct forced_choice {
    uint32_t choice;
    struct cycle other;
};

struct choices {
    const struct dependencies *d;
    struct moving_order order; // follows all edges, with those of the choices that are made
    struct order_choice *all;
    uint32_t count;
    size_t room;
    bool too_many; // not all were gathered: an order may still be wrong

    // If there is no order: choices that were forced, one after the other, and one with no way left.
    struct forced_choice *forced;
    uint32_t forced_count;
    size_t forced_room;
    uint32_t impossible;        // choice, if no trying was needed; else UINT32_MAX
    struct cycle either_way[2]; // the circles that its two ways would close
    uint64_t tried;             // ways that were tried and led nowhere

    const char *reason; // if nobody knows: what ran out

    struct dependency_edge *walk; // scratch for circles
};

enum choices_answer { CHOICES_NONE, CHOICES_MADE, CHOICES_UNKNOWN };

struct choices_limits {
    uint64_t most_tried; // 0: any number
    double deadline;     // as of time_now; 0: none
};

// The dependencies have no circle; the deadlines are those of deadline_order.h.
enum choices_answer choices_make(struct choices *c, const struct dependencies *d, const int64_t *deadline,
                                 const struct choices_limits *limits);

void choices_free(struct choices *c);

#endif
