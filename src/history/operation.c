#include "history/operation.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"

uint32_t history_invoke(struct history *h, uint32_t process, uint16_t call, const int64_t *arguments, uint32_t count)
{
    require(h->count < h->room && count <= OPERATION_ARGUMENTS);
    struct operation *op = &h->ops[h->count];
    *op = (struct operation){
        .process = process, .call = call, .invoked = h->now++, .returned = OPERATION_NEVER, .key = VALUE_NIL};
    for (uint32_t i = 0; i < count; i++)
        op->argument[i] = arguments[i];
    return h->count++;
}

void history_return(struct history *h, uint32_t op, int64_t result)
{
    require(op < h->count && operation_pending(&h->ops[op]));
    h->ops[op].returned = h->now++;
    h->ops[op].result = result;
    h->ops[op].known = true;
}

void history_undo(struct history *h, uint32_t op)
{
    struct operation *last = &h->ops[op];
    h->now--;
    if (operation_pending(last)) {
        require(op + 1 == h->count && last->invoked == h->now);
        h->count--;
    } else {
        require(last->returned == h->now);
        last->returned = OPERATION_NEVER;
        last->known = false;
    }
}

static int64_t time_of(const struct operation *ops, uint32_t event)
{
    const struct operation *op = &ops[event / 2];
    return event & 1 ? op->returned : op->invoked;
}

static bool comes_before(const struct operation *ops, uint32_t a, uint32_t b)
{
    int64_t first = time_of(ops, a), second = time_of(ops, b);
    if (first != second)
        return first < second;
    return (a & 1) != (b & 1) ? !(a & 1) : a < b;
}

// Merges two sorted neighbours.
static void merge(const struct operation *ops, const uint32_t *from, uint32_t middle, uint32_t end, uint32_t *to)
{
    uint32_t a = 0, b = middle;
    for (uint32_t i = 0; i < end; i++)
        to[i] = b == end || (a < middle && !comes_before(ops, from[b], from[a])) ? from[a++] : from[b++];
}

static void sort(const struct operation *ops, uint32_t *order, uint32_t *scratch, uint32_t count)
{
    enum { RUN = 16 };
    for (uint32_t start = 0; start < count; start += RUN)
        for (uint32_t i = start + 1; i < count && i < start + RUN; i++)
            for (uint32_t j = i; j > start && comes_before(ops, order[j], order[j - 1]); j--) {
                uint32_t swap = order[j];
                order[j] = order[j - 1];
                order[j - 1] = swap;
            }
    for (uint32_t run = RUN; run < count; run *= 2) {
        for (uint32_t start = 0; start < count; start += 2 * run) {
            uint32_t left = count - start;
            merge(ops, order + start, left < run ? left : run, left < 2 * run ? left : 2 * run, scratch + start);
        }
        memcpy(order, scratch, count * sizeof *order);
    }
}

uint32_t history_order(const struct operation *ops, uint32_t count, uint32_t *order, uint32_t *scratch)
{
    uint32_t events = 0;
    for (uint32_t i = 0; i < count; i++) {
        order[events++] = 2 * i;
        if (!operation_pending(&ops[i]))
            order[events++] = 2 * i + 1;
    }
    sort(ops, order, scratch, events);
    return events;
}

uint32_t history_overlap(const struct operation *ops, uint32_t count, uint32_t *line)
{
    uint32_t *order = alloc_ended(2 * (size_t)count, sizeof *order),
             *scratch = alloc_ended(2 * (size_t)count, sizeof *scratch);
    uint32_t open = 0, most = 0;
    uint32_t events = history_order(ops, count, order, scratch);
    *line = 0;
    for (uint32_t e = 0; e < events; e++) {
        open += order[e] & 1 ? UINT32_MAX : 1;
        if (open > most) {
            most = open;
            *line = ops[order[e] / 2].line;
        }
    }
    free(order);
    free(scratch);
    return most;
}

void history_blur(uint32_t *order, uint32_t *scratch, uint32_t events)
{
    for (uint32_t start = 0, end; start < events; start = end) {
        int64_t open = 0;
        end = start;
        do
            open += order[end] & 1 ? -1 : 1;
        while (++end < events && open);
        uint32_t at = start;
        for (uint32_t kind = 0; kind < 2; kind++)
            for (uint32_t i = start; i < end; i++)
                if ((order[i] & 1) == kind)
                    scratch[at++] = order[i];
    }
    memcpy(order, scratch, events * sizeof *order);
}

void history_rank(struct operation *ops, const uint32_t *order, uint32_t events)
{
    for (uint32_t i = 0; i < events; i++)
        *(order[i] & 1 ? &ops[order[i] / 2].returned : &ops[order[i] / 2].invoked) = i;
}

uint32_t history_prefix(const struct operation *ops, uint32_t count, int64_t time, struct operation *to)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (ops[i].invoked >= time)
            continue;
        to[kept] = ops[i];
        if (ops[i].returned >= time) {
            to[kept].returned = OPERATION_NEVER;
            to[kept].known = false;
        }
        kept++;
    }
    return kept;
}
