#include <string.h>

#include "history/labels.h"
#include "history/order_search.h"

enum { RANK_FROM = 5 }; // operations; below that any order will do

static bool take_arrays(struct order_search *s)
{
    struct space *space = &s->z->space;
    size_t n = s->count + 1, nodes = 2 * n + 2;
    uint32_t **arrays[] = {&s->call_node, &s->return_node, &s->label, &s->rank, &s->head,
                           &s->after,     &s->before,      &s->row,   &s->used};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        if (!(*arrays[i] = space_take(space, n, sizeof **arrays[i])))
            return false;
    s->event = space_take(space, nodes, sizeof *s->event);
    s->next = space_take(space, nodes, sizeof *s->next);
    s->prev = space_take(space, nodes, sizeof *s->prev);
    s->placed = space_take(space, n, sizeof *s->placed);
    s->reads = space_take(space, n, sizeof *s->reads);
    s->alike = space_take(space, n, sizeof *s->alike);
    s->classes = space_take(space, n, sizeof *s->classes);
    s->key = space_take(space, n + 1, sizeof *s->key);
    s->frames = space_take(space, n, sizeof *s->frames);
    s->scratch = space_take(space, s->spec->room(s->spec, s->ops, s->count) + 1, 1);
    s->z->order = space_take(space, n, sizeof *s->z->order);
    return s->event && s->next && s->prev && s->placed && s->reads && s->alike && s->classes && s->key && s->frames &&
           s->scratch && s->z->order && pool_init(&s->states, space, s->spec) && pool_init(&s->visited, space, NULL);
}

static bool takes_part(const struct order_search *s, uint32_t op)
{
    return !operation_pending(&s->ops[op]) || (!s->options->ignore_pending && !s->reads[op]);
}

// What has returned makes up the list; what has not only needs to know where it was called.
static void link_events(struct order_search *s)
{
    uint32_t events = history_order(s->ops, s->count, s->event, s->next);
    if (s->options->judgement == JUDGE_QUIESCENT)
        history_blur(s->event, s->next, events);
    uint32_t last = HEAD;
    for (uint32_t e = 0; e < events; e++) {
        uint32_t op = s->event[e] / 2;
        *(s->event[e] & 1 ? &s->return_node[op] : &s->call_node[op]) = e + 1;
        if (operation_pending(&s->ops[op]))
            continue;
        s->next[last] = e + 1;
        s->prev[e + 1] = last;
        last = e + 1;
        s->left += s->event[e] & 1;
    }
    s->end = events + 1;
    s->next[last] = s->end;
    s->prev[s->end] = last;
}

// Rows: one for each process, in the order of their first calls; s->event is in order of time.
static bool line_up(struct order_search *s)
{
    struct pool processes;
    bool added;
    if (!pool_init(&processes, &s->z->space, NULL))
        return false;
    uint32_t *last = s->key; // not yet in use
    for (uint32_t e = 0; e + 1 < s->end; e++) {
        uint32_t op = s->event[e] / 2;
        if (s->event[e] & 1)
            continue;
        uint32_t row = pool_add(&processes, &s->z->space, &s->ops[op].process, sizeof s->ops[op].process, &added);
        if (row == POOL_FULL)
            return false;
        if (added)
            s->head[row] = last[row] = NONE;
        s->row[op] = row;
        s->before[op] = last[row];
        s->after[op] = NONE;
        s->placed[op] = false;
        if (operation_pending(&s->ops[op]))
            continue;
        *(last[row] == NONE ? &s->head[row] : &s->after[last[row]]) = op;
        last[row] = op;
    }
    s->rows = processes.count;
    return true;
}

// Labels; and which of them are ever open twice at a time.
static bool compare_operations(struct order_search *s)
{
    uint32_t *open = s->key; // not yet in use
    if (label_operations(&s->z->space, s->spec, s->ops, s->count, s->label) == POOL_FULL)
        return false;
    for (uint32_t i = 0; i < s->count; i++) {
        const struct operation *op = &s->ops[i];
        bool gives = op->known && s->spec->calls[op->call].result != SPEC_VOID;
        s->reads[i] =
            (s->options->reads ? s->options->reads[i] : spec_reads(s->spec, op)) || (s->options->guess_reads && gives);
        open[i] = 0;
        s->alike[i] = false;
    }
    for (uint32_t e = 0; e + 1 < s->end; e++) {
        uint32_t op = s->event[e] / 2, label = s->label[op];
        if (s->event[e] & 1)
            open[label]--;
        else if (open[label]++)
            s->alike[label] = true;
    }
    return true;
}

// In SC a process may come late to its pending operation, so there each one is a class of its own.
static bool classify(struct order_search *s)
{
    uint32_t *of_label = s->key, *room = s->used; // neither in use yet
    bool apart = s->options->judgement == JUDGE_SEQUENTIAL;
    memset(of_label, 0xff, s->count * sizeof *of_label);
    for (uint32_t e = 0; e + 1 < s->end; e++) {
        uint32_t op = s->event[e] / 2, label = apart ? op : s->label[op];
        if (!operation_pending(&s->ops[op]) || !takes_part(s, op))
            continue;
        if (of_label[label] == NONE) {
            of_label[label] = s->class_count;
            room[s->class_count] = 0;
            s->classes[s->class_count++] = (struct class){.label = s->label[op]};
        }
        room[of_label[label]]++;
    }
    for (uint32_t c = 0; c < s->class_count; c++)
        if (!(s->classes[c].member = space_take(&s->z->space, room[c], sizeof *s->classes[c].member)))
            return false;
    for (uint32_t e = 0; s->class_count && e + 1 < s->end; e++) {
        uint32_t op = s->event[e] / 2, label = apart ? op : s->label[op];
        if (!operation_pending(&s->ops[op]) || !takes_part(s, op))
            continue;
        struct class *class = &s->classes[of_label[label]];
        class->member[class->count++] = op;
    }
    return true;
}

// The operation that put in what this one gave, or NONE: of several, the first that was called and has not been found yet.
static uint32_t origin_of(const struct order_search *s, const struct pool *values, uint32_t *first, uint32_t *next,
                          uint32_t op)
{
    uint32_t value = pool_find(values, &s->z->space, &s->ops[op].result, sizeof s->ops[op].result);
    if (value == POOL_FULL || first[value] == NONE)
        return NONE;
    uint32_t found = first[value];
    first[value] = next[found];
    return found;
}

// What comes out goes first, as soon as it fits; what goes in, in the order in which it will come out, or the reverse.
static bool rank_by_fate(struct order_search *s)
{
    struct pool values;
    bool added;
    uint32_t *first = space_take(&s->z->space, s->count + 1, sizeof *first);
    uint32_t *last = space_take(&s->z->space, s->count + 1, sizeof *last);
    uint32_t *next = space_take(&s->z->space, s->count + 1, sizeof *next);
    if (!first || !last || !next || !pool_init(&values, &s->z->space, NULL))
        return false;
    for (uint32_t e = 0; e + 1 < s->end; e++) {
        uint32_t op = s->event[e] / 2;
        if (s->event[e] & 1 || !s->spec->calls[s->ops[op].call].arguments)
            continue;
        uint32_t value = pool_add(&values, &s->z->space, s->ops[op].argument, sizeof *s->ops[op].argument, &added);
        if (value == POOL_FULL)
            return false;
        *(added ? &first[value] : &next[last[value]]) = op;
        last[value] = op;
        next[op] = NONE;
        // Never out: the last one of a queue, the lowest one of a stack.
        s->rank[op] = s->spec->order == SPEC_FIRST_OUT ? 3 * s->end + e : s->end + e;
    }
    for (uint32_t e = 0; e + 1 < s->end; e++) {
        uint32_t op = s->event[e] / 2, origin;
        if (!(s->event[e] & 1) || s->spec->calls[s->ops[op].call].arguments)
            continue;
        s->rank[op] = e;
        origin = s->ops[op].known ? origin_of(s, &values, first, next, op) : NONE;
        if (origin != NONE)
            s->rank[origin] = s->spec->order == SPEC_FIRST_OUT ? s->end + e : 3 * s->end - e;
    }
    return true;
}

// Otherwise the first to be called goes first.
static bool rank(struct order_search *s)
{
    for (uint32_t i = 0; i < s->count; i++)
        s->rank[i] = s->call_node[i];
    return s->spec->order == SPEC_ANY_ORDER || s->count < RANK_FROM || rank_by_fate(s);
}

bool order_search_prepare(struct order_search *s)
{
    bool added;
    if (!take_arrays(s))
        return false;
    link_events(s);
    if (!compare_operations(s) || !classify(s) || !rank(s))
        return false;
    if (s->options->judgement == JUDGE_SEQUENTIAL && !line_up(s))
        return false;
    size_t size = s->spec->init(s->spec, s->scratch);
    s->state = pool_add(&s->states, &s->z->space, s->scratch, size, &added);
    return s->state != POOL_FULL;
}
