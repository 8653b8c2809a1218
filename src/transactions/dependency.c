#include "transactions/dependency.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "transactions/time_order.h"

enum { FEW_EDGES = 16 }; // beyond that many, everybody with everybody goes through a helper node

static void add_edge(void *context, const struct dependency_edge *edge)
{
    struct dependencies *d = context;
    d->edges = alloc_reserve(d->edges, d->count + (size_t)1, &d->room, sizeof *d->edges);
    d->edges[d->count++] = *edge;
}

uint32_t last_of_chain(const struct versions *v, uint32_t version)
{
    while (v->all[version].next != NO_VERSION)
        version = v->all[version].next;
    return version;
}

// Versions and reads

void dependencies_of_order(const struct dependencies *d, uint32_t version, uint32_t then,
                           void (*add)(void *context, const struct dependency_edge *edge), void *context)
{
    const struct versions *v = d->versions;
    const struct version *first = &v->all[version], *second = &v->all[then];
    if (first->writer != NO_TRANSACTION && first->writer != second->writer)
        add(context, &(struct dependency_edge){node_of_end(d, first->writer), node_of_start(d, second->writer),
                                               DEPENDS_WW, version, then, NO_ACCESS, 0});
    for (uint32_t i = 0; i < first->reads && d->level->isolation != READ_COMMITTED; i++) {
        uint32_t read = v->reads[first->first_read + i], reader = v->from->accesses[read].transaction;
        if (reader != second->writer)
            add(context, &(struct dependency_edge){node_of_start(d, reader), node_of_end(d, second->writer), DEPENDS_RW,
                                                   version, then, read, 0});
    }
}

static void add_reads(struct dependencies *d, uint32_t version)
{
    const struct versions *v = d->versions;
    const struct version *from = &v->all[version];
    for (uint32_t i = 0; i < from->reads && from->writer != NO_TRANSACTION; i++) {
        uint32_t read = v->reads[from->first_read + i], reader = v->from->accesses[read].transaction;
        if (reader != from->writer)
            add_edge(d, &(struct dependency_edge){node_of_end(d, from->writer), node_of_start(d, reader), DEPENDS_WR,
                                                  version, NO_VERSION, read, 0});
    }
}

// A version comes before all of these; its readers reach their writers through a helper.
static void add_fan(struct dependencies *d, uint32_t version, const uint32_t *later, uint32_t count)
{
    const struct versions *v = d->versions;
    struct version *from = &v->all[version];
    bool helper = d->level->isolation != READ_COMMITTED && (uint64_t)from->reads * count > FEW_EDGES;
    uint32_t node = helper ? d->nodes++ : 0, reads = from->reads;
    for (uint32_t i = 0; helper && i < reads; i++) {
        uint32_t read = v->reads[from->first_read + i];
        add_edge(d, &(struct dependency_edge){node_of_start(d, v->from->accesses[read].transaction), node, DEPENDS_PASS,
                                              version, NO_VERSION, read, 0});
    }
    if (helper)
        from->reads = 0;
    for (uint32_t i = 0; i < count; i++) {
        dependencies_of_order(d, version, later[i], add_edge, d);
        if (helper)
            add_edge(d, &(struct dependency_edge){node, node_of_end(d, v->all[later[i]].writer), DEPENDS_RW, version,
                                                  later[i], NO_ACCESS, 0});
    }
    from->reads = reads;
}

// Chains of one register in the order of their last calls: whoever returned first comes before a tail of them, which is
// reached through helpers, each of which leads to one chain and to the next helper.

struct timed_chain {
    uint32_t head, last;
    struct chain_times times;
};

static int by_last_call(const void *a, const void *b)
{
    const struct timed_chain *x = a, *y = b;
    if (x->times.last_call != y->times.last_call)
        return x->times.last_call < y->times.last_call ? -1 : 1;
    return x->head < y->head ? -1 : x->head > y->head;
}

// Helpers for writers and for readers, two for each chain. Returns the first.
static uint32_t add_tail_helpers(struct dependencies *d, const struct timed_chain *chains, uint32_t count)
{
    uint32_t first = d->nodes;
    d->nodes += 2 * count;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t writer = d->versions->all[chains[i].head].writer, helper = first + 2 * i;
        add_edge(d, &(struct dependency_edge){helper, node_of_start(d, writer), DEPENDS_WW, NO_VERSION, chains[i].head,
                                              NO_ACCESS, 0});
        add_edge(d, &(struct dependency_edge){helper + 1, node_of_end(d, writer), DEPENDS_RW, NO_VERSION,
                                              chains[i].head, NO_ACCESS, 0});
        for (uint32_t kind = 0; kind < 2 && i + 1 < count; kind++)
            add_edge(d, &(struct dependency_edge){helper + kind, helper + 2 + kind, DEPENDS_PASS, NO_VERSION,
                                                  NO_VERSION, NO_ACCESS, 0});
    }
    return first;
}

static void lead_to_tail(struct dependencies *d, uint32_t version, uint32_t helper)
{
    const struct version *from = &d->versions->all[version];
    add_edge(d, &(struct dependency_edge){node_of_end(d, from->writer), helper, DEPENDS_PASS, version, NO_VERSION,
                                          NO_ACCESS, 0});
    for (uint32_t i = 0; i < from->reads; i++) {
        uint32_t read = d->versions->reads[from->first_read + i];
        add_edge(d, &(struct dependency_edge){node_of_start(d, d->versions->from->accesses[read].transaction),
                                              helper + 1, DEPENDS_PASS, version, NO_VERSION, read, 0});
    }
}

static void add_timed_chains(struct dependencies *d, const uint32_t *heads, uint32_t count)
{
    struct timed_chain *chains = alloc_ended(count, sizeof *chains);
    for (uint32_t i = 0; i < count; i++)
        chains[i] =
            (struct timed_chain){heads[i], last_of_chain(d->versions, heads[i]), chain_times(d->versions, heads[i])};
    qsort(chains, count, sizeof *chains, by_last_call);
    uint32_t first = count ? add_tail_helpers(d, chains, count) : 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t low = 0, high = count; // the first chain that comes later
        while (low < high) {
            uint32_t middle = low + (high - low) / 2;
            if (chain_is_before(&chains[i].times, &chains[middle].times))
                high = middle;
            else
                low = middle + 1;
        }
        for (; low <= i; low++)
            if (low < i)
                dependencies_of_order(d, chains[i].last, chains[low].head, add_edge, d);
        if (low < count)
            lead_to_tail(d, chains[i].last, first + 2 * low);
    }
    free(chains);
}

static void add_version_edges(struct dependencies *d)
{
    const struct versions *v = d->versions;
    bool lists = v->from->model == MODEL_LISTS;
    uint32_t *start = alloc_ended(v->from->key_count + (size_t)1, sizeof *start);
    uint32_t *loose = alloc_ended(v->count, sizeof *loose); // by key: versions that are not known to follow another
    for (uint32_t n = 0; n < v->count; n++) {
        add_reads(d, n);
        if (v->all[n].next != NO_VERSION)
            dependencies_of_order(d, n, v->all[n].next, add_edge, d);
        if (n >= v->from->key_count && v->all[n].previous == NO_VERSION)
            start[v->all[n].key + 1]++;
    }
    for (uint32_t key = 0; key < v->from->key_count; key++)
        start[key + 1] += start[key];
    uint32_t *end = alloc_ended(v->from->key_count, sizeof *end);
    memcpy(end, start, v->from->key_count * sizeof *end);
    for (uint32_t n = v->from->key_count; n < v->count; n++)
        if (v->all[n].previous == NO_VERSION)
            loose[end[v->all[n].key]++] = n;
    for (uint32_t key = 0; key < v->from->key_count; key++)
        if (lists || d->level->isolation != READ_COMMITTED) {
            add_fan(d, last_of_chain(v, key), loose + start[key], end[key] - start[key]);
            if (!lists && d->level->order >= TIME_ORDER)
                add_timed_chains(d, loose + start[key], end[key] - start[key]);
        }
    free(start);
    free(loose);
    free(end);
}

// Orders of time

static const struct transaction *sorted_transactions;

static int by_return(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    int64_t first = sorted_transactions[*x].returned, second = sorted_transactions[*y].returned;
    return first != second ? (first < second ? -1 : 1) : (*x > *y) - (*x < *y);
}

static int by_call(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    int64_t first = sorted_transactions[*x].called, second = sorted_transactions[*y].called;
    return first != second ? (first < second ? -1 : 1) : (*x > *y) - (*x < *y);
}

static uint32_t sort_part(const struct dependencies *d, uint32_t *order, int (*compare)(const void *, const void *))
{
    const struct versions *v = d->versions;
    uint32_t count = 0;
    for (uint32_t t = 0; t < v->from->count; t++)
        if (v->takes_part[t])
            order[count++] = t;
    sorted_transactions = v->from->all;
    qsort(order, count, sizeof *order, compare);
    return count;
}

// A helper for each return, one after the other; whoever is called comes after the last return before that.
static void add_time_edges(struct dependencies *d)
{
    const struct transaction *all = d->versions->from->all;
    uint32_t *returns = alloc_ended(d->versions->from->count, sizeof *returns);
    uint32_t *calls = alloc_ended(d->versions->from->count, sizeof *calls), done = 0, first = d->nodes;
    uint32_t count = sort_part(d, returns, by_return);
    sort_part(d, calls, by_call);
    for (uint32_t i = 0; i < count; i++) {
        const struct transaction *t = &all[calls[i]];
        for (; all[returns[done]].returned < t->called; done++, d->nodes++) {
            add_edge(d, &(struct dependency_edge){node_of_end(d, returns[done]), d->nodes, DEPENDS_PASS, NO_VERSION,
                                                  NO_VERSION, NO_ACCESS, 0});
            if (d->nodes > first)
                add_edge(d, &(struct dependency_edge){d->nodes - 1, d->nodes, DEPENDS_PASS, NO_VERSION, NO_VERSION,
                                                      NO_ACCESS, 0});
        }
        if (done)
            add_edge(d, &(struct dependency_edge){d->nodes - 1, node_of_start(d, calls[i]), DEPENDS_TIME, NO_VERSION,
                                                  NO_VERSION, NO_ACCESS, 0});
    }
    free(returns);
    free(calls);
}

// What never returned comes before nothing.
static void add_session_edges(struct dependencies *d)
{
    const struct transactions *from = d->versions->from;
    uint32_t *calls = alloc_ended(from->count, sizeof *calls), count = sort_part(d, calls, by_call);
    uint32_t *last = alloc_ended(from->process_count, sizeof *last);
    memset(last, 0xff, from->process_count * sizeof *last);
    for (uint32_t i = 0; i < count; i++) {
        const struct transaction *t = &from->all[calls[i]];
        if (last[t->process] != NO_TRANSACTION)
            add_edge(d, &(struct dependency_edge){node_of_end(d, last[t->process]), node_of_start(d, calls[i]),
                                                  DEPENDS_SESSION, NO_VERSION, NO_VERSION, NO_ACCESS, 0});
        if (t->returned != OPERATION_NEVER)
            last[t->process] = calls[i];
    }
    free(calls);
    free(last);
}

// Sorts the edges by where they begin, keeping their order.
static void sort_edges(struct dependencies *d)
{
    struct dependency_edge *sorted = alloc_ended(d->count, sizeof *sorted);
    uint32_t *at = alloc_ended(d->nodes + (size_t)1, sizeof *at);
    d->out = alloc_ended(d->nodes + (size_t)1, sizeof *d->out);
    for (uint32_t i = 0; i < d->count; i++)
        d->out[d->edges[i].from + 1]++;
    for (uint32_t n = 0; n < d->nodes; n++)
        d->out[n + 1] += d->out[n];
    memcpy(at, d->out, d->nodes * sizeof *at);
    for (uint32_t i = 0; i < d->count; i++)
        sorted[at[d->edges[i].from]++] = d->edges[i];
    free(d->edges);
    free(at);
    d->edges = sorted;
}

void dependencies_find(struct dependencies *d, const struct versions *versions, const struct level *level)
{
    *d = (struct dependencies){.versions = versions, .level = level};
    d->split = level->isolation == SNAPSHOT_ISOLATION;
    d->nodes = d->real_nodes = versions->from->count * (d->split ? 2 : 1);
    add_version_edges(d);
    for (uint32_t t = 0; d->split && t < versions->from->count; t++)
        if (versions->takes_part[t])
            add_edge(d, &(struct dependency_edge){node_of_start(d, t), node_of_end(d, t), DEPENDS_WITHIN, NO_VERSION,
                                                  NO_VERSION, NO_ACCESS, 0});
    if (level->order == TIME_ORDER)
        add_time_edges(d);
    else if (level->order == SESSION_ORDER)
        add_session_edges(d);
    sort_edges(d);
}

void dependencies_free(struct dependencies *d)
{
    free(d->edges);
    free(d->out);
    *d = (struct dependencies){0};
}
