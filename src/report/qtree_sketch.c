#include "report/qtree_sketch.h"

#include <stdlib.h>

#include "base/alloc.h"

// A stretch is shortened to its ends if it is longer than DULL rows; rows are no longer shown beyond MOST_ROWS.
enum { DULL = 8, ENDS = 2, MOST_ROWS = 300 };

struct ordered {
    struct qtree_round round;
    uint32_t node;
    bool is_refused;
};

// Children come before their parents; a refused one, whose parent need not be lower, before all.
static int compare(const void *a, const void *b)
{
    const struct ordered *x = a, *y = b;
    if (x->is_refused != y->is_refused)
        return x->is_refused ? -1 : 1;
    if (!qtree_same_round(x->round, y->round))
        return qtree_before(y->round, x->round) ? -1 : 1;
    return x->node > y->node ? -1 : 1;
}

static struct ordered *order_nodes(const struct qtree *t)
{
    struct ordered *all = alloc_array(t->counts.nodes, sizeof *all);
    for (uint32_t i = 1; i < t->counts.nodes; i++)
        all[i] = (struct ordered){t->node[i].round, i, t->node[i].is_refused};
    qsort(all + 1, t->counts.nodes - 1, sizeof *all, compare);
    return all;
}

void qtree_shape_make(struct qtree_shape *s, const struct qtree *t)
{
    uint32_t count = t->counts.nodes;
    uint32_t *size = alloc_zeroed(count, sizeof *size);
    bool *decided = alloc_zeroed(count, sizeof *decided);
    struct ordered *all = order_nodes(t);
    s->first = alloc_zeroed(count, sizeof *s->first);
    s->next = alloc_zeroed(count, sizeof *s->next);
    s->main = alloc_zeroed(count, sizeof *s->main);
    for (uint32_t i = 1; i < count; i++) {
        uint32_t node = all[i].node, parent = t->node[node].parent;
        if (parent == node)
            continue;
        decided[node] |= t->node[node].is_committed;
        uint32_t main = s->main[parent];
        if (!main || t->node[main].is_refused || decided[node] > decided[main] ||
            (decided[node] == decided[main] && size[node] > size[main]))
            s->main[parent] = node;
        decided[parent] |= decided[node];
        size[parent] += size[node] + 1;
        s->next[node] = s->first[parent];
        s->first[parent] = node;
    }
    free(all);
    free(decided);
    free(size);
}

void qtree_shape_free(struct qtree_shape *s)
{
    free(s->first);
    free(s->next);
    free(s->main);
}

uint32_t qtree_shape_next(const struct qtree_shape *s, const struct qtree *t, uint32_t node)
{
    if (s->first[node])
        return s->first[node];
    while (!s->next[node] && t->node[node].parent != node)
        node = t->node[node].parent;
    return s->next[node];
}

static bool is_part(const struct qtree_node *n, const struct qtree_violation *v)
{
    return v && (n->is_refused || qtree_same_round(n->round, v->event.round) ||
                 (v->has_other && qtree_same_round(n->round, v->other.round)));
}

struct climb {
    uint32_t node, depth, parent;
    bool begins;
};

// Every round as a row.
static void climb(struct qtree_sketch *s, const struct qtree *t, const struct qtree_shape *shape,
                  const struct qtree_instance *in, const struct qtree_violation *v)
{
    uint32_t most = in->nodes + 2, open = 0;
    struct climb *stack = alloc_array(most, sizeof *stack);
    s->rows = alloc_zeroed(most, sizeof *s->rows);
    stack[open++] = (struct climb){.node = in->root};
    while (open) {
        struct climb at = stack[--open];
        uint32_t row = s->count++, main = shape->main[at.node], first = open;
        s->rows[row] = (struct qtree_row){.node = at.node,
                                          .depth = at.depth,
                                          .parent = at.parent,
                                          .begins = at.begins,
                                          .is_marked = is_part(&t->node[at.node], v)};
        if (main)
            stack[open++] = (struct climb){.node = main, .depth = at.depth, .parent = row};
        for (uint32_t child = shape->first[at.node]; child; child = shape->next[child])
            if (child != main)
                stack[open++] = (struct climb){child, at.depth + 1, row, true};
        for (uint32_t low = first + 1, high = open - 1; main && low < high; low++, high--) { // the lowest comes first
            struct climb swap = stack[low];
            stack[low] = stack[high];
            stack[high] = swap;
        }
    }
    free(stack);
}

// Whether the row only goes on with what the one before it has begun.
static bool is_dull(const struct qtree_sketch *s, const struct qtree *t, const struct qtree_shape *shape, uint32_t row)
{
    const struct qtree_row *r = &s->rows[row];
    if (!row || r->begins || r->is_marked || r->depth != r[-1].depth || r->parent != row - 1)
        return false;
    return qtree_status(&t->node[r->node]) == qtree_status(&t->node[r[-1].node]) && !shape->next[shape->first[r->node]];
}

// Marks which rows are not shown by `hidden`.
static void hide(struct qtree_sketch *s, const struct qtree *t, const struct qtree_shape *shape)
{
    uint32_t shown = 0;
    for (uint32_t from = 0, to; from < s->count; from = to) {
        to = from + 1;
        while (to < s->count && is_dull(s, t, shape, to))
            to++;
        for (uint32_t i = from; i < to; i++) {
            bool inside = to - from > DULL && i >= from + ENDS && i < to - ENDS;
            s->rows[i].hidden = !s->rows[i].is_marked && (inside || shown >= MOST_ROWS);
            shown += !s->rows[i].hidden;
        }
    }
}

// Rows that are not shown become one where they follow each other.
static void close_up(struct qtree_sketch *s)
{
    uint32_t *moved = alloc_zeroed(s->count, sizeof *moved), count = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        struct qtree_row row = s->rows[i];
        bool joins = row.hidden && count && s->rows[count - 1].hidden;
        row.parent = moved[row.parent];
        s->hidden += row.hidden;
        if (joins)
            s->rows[count - 1].hidden++;
        else
            s->rows[count++] = row;
        moved[i] = count - 1;
        if (row.hidden)
            s->rows[count - 1].node = QTREE_NOBODY;
    }
    s->count = count;
    free(moved);
}

void qtree_sketch_make(struct qtree_sketch *s, const struct qtree *t, const struct qtree_shape *shape,
                       uint32_t instance, const struct qtree_violation *v)
{
    *s = (struct qtree_sketch){.rows = NULL};
    climb(s, t, shape, &t->instance[instance], v);
    hide(s, t, shape);
    close_up(s);
}

void qtree_sketch_free(struct qtree_sketch *s)
{
    free(s->rows);
}
