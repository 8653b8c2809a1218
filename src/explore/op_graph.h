// Which operation was seen to follow which, over a whole search: the graph of visible operations of seed 002 (its section 4.2).
// What can follow a state is what can be reached from its pending operations; that may be too much, and is never too little.
#ifndef EXPLORE_OP_GRAPH_H
#define EXPLORE_OP_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include "model/exec.h"

struct op_node {
    uint32_t actor, object;
    enum effect effect; // the strongest that it can have
};

struct op_graph;

struct op_graph *op_graph_new(void);
void op_graph_free(struct op_graph *g);

// The number of an operation, from 0 on.
uint32_t op_graph_node(struct op_graph *g, uint32_t actor, enum op_kind kind, uint32_t object);

void op_graph_follow(struct op_graph *g, uint32_t earlier, uint32_t later);

// Marks what can be reached from some nodes. First nothing is marked, then one node after the other is added.
void op_graph_unmark(struct op_graph *g);
void op_graph_mark(struct op_graph *g, uint32_t node);

// Tells of each marked node.
void op_graph_each(struct op_graph *g, void (*tell)(void *context, const struct op_node *node), void *context);

#endif
