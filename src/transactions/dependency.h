// What has to come before what: a graph of transactions. For snapshot isolation a transaction is two nodes, its beginning
// and its end, so that there, too, an execution is an order of the nodes; a circle shows that there is none.
//
// With the order of versions known, the theorem is Adya's (1999) for serializability and Cerone and Gotsman's (2016) for
// snapshot isolation: a transaction that read a version comes after its writer and before the one that replaced it, and versions
// come in their order.
//
// Where every transaction of one set comes before every one of another, a helper node stands between them; the same is done for
// times. So the graph is linear in the size of the file.
#ifndef TRANSACTIONS_DEPENDENCY_H
#define TRANSACTIONS_DEPENDENCY_H

#include "transactions/versions.h"

enum dependency {
    DEPENDS_WW,      // wrote `version`, the other the later version `then`
    DEPENDS_WR,      // wrote `version`, which the other read by `read`
    DEPENDS_RW,      // read `version` by `read`, the other wrote the later version `then`
    DEPENDS_SESSION, // of one process, the other after it
    DEPENDS_TIME,    // returned before the other was called
    DEPENDS_WITHIN,  // from the beginning of a transaction to its end
    DEPENDS_PASS,    // to a helper node, from which the rest of the edge leads on
};

struct dependency_edge {
    uint32_t from, to; // nodes
    enum dependency kind;
    uint32_t version, then; // versions
    uint32_t read;          // access
    uint32_t choice;        // one more than the number of the choice it follows from; 0: it is known without one
};

struct dependencies {
    const struct versions *versions;
    const struct level *level;
    bool split;                 // two nodes for each transaction
    uint32_t nodes, real_nodes; // all; without helpers, which come behind
    struct dependency_edge *edges;
    uint32_t count;
    size_t room;
    uint32_t *out; // by node: its first edge; one more at the end. Edges are sorted by where they begin
};

static inline uint32_t node_of_start(const struct dependencies *d, uint32_t transaction)
{
    return d->split ? 2 * transaction : transaction;
}

static inline uint32_t node_of_end(const struct dependencies *d, uint32_t transaction)
{
    return d->split ? 2 * transaction + 1 : transaction;
}

static inline uint32_t transaction_of_node(const struct dependencies *d, uint32_t node)
{
    return node >= d->real_nodes ? NO_TRANSACTION : d->split ? node / 2 : node;
}

// All edges that follow from what is known. The versions have no anomaly.
void dependencies_find(struct dependencies *d, const struct versions *versions, const struct level *level);

void dependencies_free(struct dependencies *d);

// The edges by which one version comes before another, given to `add`: between their writers, and from who read the first.
void dependencies_of_order(const struct dependencies *d, uint32_t version, uint32_t then,
                           void (*add)(void *context, const struct dependency_edge *edge), void *context);

// Versions that are known to follow one another directly; those of one key that begin behind it come later.
uint32_t last_of_chain(const struct versions *versions, uint32_t version);

#endif
