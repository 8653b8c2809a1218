// How far an error went, as a graph: functions of threads, and between the one that wrote another value and the one that read it
// the objects that it was in.
#ifndef INJECT_PROPAGATION_H
#define INJECT_PROPAGATION_H

#include "inject/deviation.h"

struct propagation_node {
    char *thread, *function;
    const char *begins; // how the first deviation of its thread was, if it was here; else null
};

struct propagation_edge {
    uint32_t from, to;
    uint64_t *objects;
    size_t count, room;
};

struct propagation {
    struct canonical_trace *other; // names are looked up in it
    struct propagation_node *nodes;
    size_t node_count, node_room;
    struct propagation_edge *edges;
    size_t edge_count, edge_room;
};

void propagation_find(struct propagation *p, struct canonical_trace *golden, struct canonical_trace *other,
                      const struct deviation *d);
void propagation_free(struct propagation *p);

void propagation_dot(const struct propagation *p, FILE *out); // for Graphviz
void propagation_svg(const struct propagation *p, FILE *out); // a column for each thread

// Everything that is known of the difference, with the graph. 0, or -1 with errno set.
int propagation_json(const struct propagation *p, struct canonical_trace *golden, const struct deviation *d, FILE *out);

#endif
