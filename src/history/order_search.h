// A search under way: what linearize.c works on and prepare.c sets up. Nobody else includes this.
#ifndef HISTORY_ORDER_SEARCH_H
#define HISTORY_ORDER_SEARCH_H

#include "history/linearize.h"

enum { HEAD = 0, NONE = UINT32_MAX };

enum placing_how { BY_FORCE, BY_CHOICE, PENDING };

struct placing {
    uint32_t op, nth, state; // the state in front of it
    enum placing_how how;
    int64_t result;
};

// Operations that never returned and are alike; any one of them is as good as the others, so they go in order.
struct class {
    uint32_t *member, count, used;
    uint32_t label;
};

// Pending operations in use at a place: classes and how many of each.
struct used {
    struct used *next;
    uint32_t count;
    struct {
        uint32_t class, members;
    } of[];
};

struct uses {
    struct used *first;
};

struct order_search {
    struct linearizer *z;
    const struct spec *spec;
    const struct operation *ops;
    uint32_t count, left; // operations; those that returned and have no place yet
    const struct lin_options *options;
    struct pool states, visited;
    struct uses *uses; // of each place visited: what was in use there
    uint32_t use_room, places;
    uint32_t state;
    void *scratch;

    // Calls and returns in order, without those that never returned: event e is node e + 1.
    uint32_t *event, *next, *prev, end;
    uint32_t *call_node, *return_node;

    // For JUDGE_SEQUENTIAL: the next operation of each process, and the one after each.
    uint32_t *head, *after, *before, *row, rows;
    bool *placed;

    uint32_t *rank;  // of each operation: those of lower rank are tried first; all different
    uint32_t *label; // equal for operations that are alike in all but time and process
    bool *reads, *alike;
    struct class *classes;
    uint32_t class_count, *used, used_count; // used: classes of which some are, ascending
    uint32_t *key;
    struct placing *frames;
    uint32_t depth;
};

// Sorts the events, compares the operations with each other, and puts the first state in place. The linearizer, the
// specification, the operations and the options are set already. False if there is no room.
bool order_search_prepare(struct order_search *s);

#endif
