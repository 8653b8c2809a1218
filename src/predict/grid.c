#include "predict/grid.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"

// The records of one thread that count. In state s the first s of them are done.
struct axis {
    uint32_t thread;
    uint32_t low; // records done in state 0
    uint32_t *at; // positions, ascending
    uint32_t count;
    size_t room;
};

// In which columns the second thread has a lock for itself, and in which it has it at all.
struct lock_columns {
    uint64_t *held, *any;
};

struct grid {
    const struct model *m;
    struct axis rows, columns;
    const struct question *q;
    uint32_t *asked; // the records that the question is about
    uint32_t asked_count;
    uint32_t words;            // of 64 columns in a row
    uint64_t *reached;         // row by row
    uint64_t *allowed;         // of one row
    struct table lock_numbers; // locks that the second thread has in some column
    struct lock_columns *locks;
    size_t lock_room;
};

static uint32_t done_in(const struct axis *a, uint32_t state)
{
    return state ? a->at[state - 1] + 1 : a->low;
}

// The first state in which the thread has done so many records.
static uint32_t state_with(const struct axis *a, uint32_t done)
{
    uint32_t low = 0, high = a->count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (done_in(a, middle) < done)
            low = middle + 1;
        else
            high = middle;
    }
    return done_in(a, low) < done ? a->count + 1 : low;
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void axis_add(struct axis *a, uint32_t position)
{
    a->at = alloc_reserve(a->at, a->count + 1, &a->room, sizeof *a->at);
    a->at[a->count++] = position;
}

// Marks from `low` on, before `high`, and the records of wishes.
static void axis_make(struct axis *a, const struct grid *g, uint32_t thread, uint32_t low, uint32_t high)
{
    const struct marks *marks = &g->m->marks[thread];
    a->thread = thread;
    a->low = low;
    a->count = 0;
    for (uint32_t i = model_mark_from(marks, low); i < marks->count && marks->at[i] < high; i++)
        axis_add(a, marks->at[i]);
    for (uint32_t i = 0; i < g->asked_count; i++)
        if (g->m->r->records[g->asked[i]].thread == thread)
            axis_add(a, g->m->order.position[g->asked[i]]);
    qsort(a->at, a->count, sizeof *a->at, by_number);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < a->count; i++)
        if (!kept || a->at[kept - 1] != a->at[i])
            a->at[kept++] = a->at[i];
    a->count = kept;
}

// Sets the bits of columns `from` to `to`.
static void set_columns(uint64_t *columns, uint32_t from, uint32_t to)
{
    for (uint32_t w = from / 64; from <= to && w <= to / 64; w++) {
        uint64_t bits = ~0ull;
        if (w == from / 64)
            bits &= ~0ull << (from % 64);
        if (w == to / 64)
            bits &= ~0ull >> (63 - to % 64);
        columns[w] |= bits;
    }
}

static struct lock_columns *lock_of(struct grid *g, uint32_t lock)
{
    bool added;
    uint32_t number = table_add(&g->lock_numbers, &lock, sizeof lock, &added);
    if (added) {
        g->locks = alloc_grow(g->locks, number, &g->lock_room, sizeof *g->locks);
        g->locks[number].held = alloc_zeroed(g->words, sizeof *g->locks[number].held);
        g->locks[number].any = alloc_zeroed(g->words, sizeof *g->locks[number].any);
    }
    return &g->locks[number];
}

static void note_section(struct grid *g, const struct section *s)
{
    uint32_t from = state_with(&g->columns, s->from + 1);
    uint32_t to = s->to == NOT_RECORDED ? g->columns.count + 1 : state_with(&g->columns, s->to + 1);
    if (from >= to)
        return;
    struct lock_columns *columns = lock_of(g, s->lock);
    set_columns(columns->any, from, to - 1);
    if (!s->shared)
        set_columns(columns->held, from, to - 1);
}

// Notes the second thread's sections that are under way in some column. They are the same for all rows.
static void note_sections(struct grid *g)
{
    const struct section_line *line = &g->m->sections.lines[g->columns.thread];
    uint32_t node = sections_held(&g->m->sections, g->columns.thread, g->columns.low);
    uint32_t first = 0, past = line->count, end = done_in(&g->columns, g->columns.count);
    for (; node != NOT_RECORDED; node = line->held[node].below)
        note_section(g, &line->sections[line->held[node].section]);
    while (first < past) {
        uint32_t middle = (first + past) / 2;
        if (line->sections[middle].from < g->columns.low)
            first = middle + 1;
        else
            past = middle;
    }
    for (; first < line->count && line->sections[first].from < end; first++)
        note_section(g, &line->sections[first]);
}

static void forbid_sections(struct grid *g, uint32_t row)
{
    const struct section_line *line = &g->m->sections.lines[g->rows.thread];
    uint32_t node = sections_held(&g->m->sections, g->rows.thread, done_in(&g->rows, row));
    for (; node != NOT_RECORDED; node = line->held[node].below) {
        const struct section *section = &line->sections[line->held[node].section];
        uint32_t number = table_find(&g->lock_numbers, &section->lock, sizeof section->lock);
        if (number == TABLE_NONE)
            continue;
        const uint64_t *others = section->shared ? g->locks[number].held : g->locks[number].any;
        for (uint32_t w = 0; w < g->words; w++)
            g->allowed[w] &= ~others[w];
    }
}

// What a row allows for order's and the wishes' sake: columns from `*low` to `*high`.
static void row_range(const struct grid *g, uint32_t row, uint32_t *low, uint32_t *high)
{
    const struct order *o = &g->m->order;
    uint32_t done = done_in(&g->rows, row);
    *low = state_with(&g->columns, order_needs(o, g->rows.thread, done, g->columns.thread));
    // The last column that needs no more of the first thread: needs grow with columns.
    uint32_t from = 0, to = g->columns.count;
    while (from < to) {
        uint32_t middle = (from + to + 1) / 2;
        if (order_needs(o, g->columns.thread, done_in(&g->columns, middle), g->rows.thread) <= done)
            from = middle;
        else
            to = middle - 1;
    }
    *high = from;
    for (uint32_t i = 0; i < g->q->wish_count; i++) {
        uint32_t before = g->q->wishes[i].before, after = g->q->wishes[i].after;
        bool by_row = g->m->r->records[before].thread == g->rows.thread;
        uint32_t first = o->position[before] + 1, second = o->position[after] + 1;
        if (by_row && done < first) {
            uint32_t column = state_with(&g->columns, second);
            if (column <= *high)
                *high = column - 1; // a wish's record is done in no state 0
        } else if (!by_row && done >= second) {
            uint32_t column = state_with(&g->columns, first);
            if (column > *low)
                *low = column;
        }
    }
}

static void allow_row(struct grid *g, uint32_t row)
{
    uint32_t low, high;
    row_range(g, row, &low, &high);
    memset(g->allowed, 0, g->words * sizeof *g->allowed);
    for (uint32_t w = low / 64; low <= high && w <= high / 64; w++) {
        uint64_t bits = ~0ull;
        if (w == low / 64)
            bits &= ~0ull << (low % 64);
        if (w == high / 64)
            bits &= ~0ull >> (63 - high % 64);
        g->allowed[w] = bits;
    }
    forbid_sections(g, row);
}

// From the points that the row below reaches, to the right for as long as it is allowed. A seed that is added to a run of ones turns those
// from itself on to zeros, but for further seeds in the run.
static void reach_row(struct grid *g, uint32_t row)
{
    uint64_t *now = &g->reached[(size_t)row * g->words];
    const uint64_t *below = row ? now - g->words : NULL;
    uint64_t carry = 0; // the column before was reached
    for (uint32_t w = 0; w < g->words; w++) {
        uint64_t allowed = g->allowed[w];
        uint64_t seeds = ((below ? below[w] : w == 0) | carry) & allowed;
        uint64_t sum;
        __builtin_add_overflow(allowed, seeds, &sum); // what overflows goes on in `carry`
        now[w] = ((sum ^ allowed) & allowed) | seeds;
        carry = now[w] >> 63;
    }
}

static bool is_reached(const struct grid *g, uint32_t row, uint32_t column)
{
    return g->reached[(size_t)row * g->words + column / 64] >> (column % 64) & 1;
}

static void add_step(struct grid_path *path, const struct axis *a, uint32_t state)
{
    struct grid_step *last = path->count ? &path->steps[path->count - 1] : NULL;
    if (last && last->thread == a->thread)
        return; // walked backwards: the later state of the same turn is there already
    path->steps = alloc_grow(path->steps, path->count, &path->room, sizeof *path->steps);
    path->steps[path->count++] = (struct grid_step){a->thread, done_in(a, state)};
}

// Back from the end: in one direction for as long as possible, so that there are few turns.
static void walk_back(const struct grid *g, uint32_t row, uint32_t column, struct grid_path *path)
{
    bool down = true;
    while (row || column) {
        bool can_down = row && is_reached(g, row - 1, column), can_left = column && is_reached(g, row, column - 1);
        require(can_down || can_left);
        if (down ? !can_down : !can_left)
            down = !down;
        if (down)
            add_step(path, &g->rows, row--);
        else
            add_step(path, &g->columns, column--);
    }
    for (uint32_t i = 0; i < path->count / 2; i++) {
        struct grid_step step = path->steps[i];
        path->steps[i] = path->steps[path->count - 1 - i];
        path->steps[path->count - 1 - i] = step;
    }
}

// The first state in which all of the thread's records that are asked for are done.
static uint32_t goal_of(const struct grid *g, const struct axis *a)
{
    uint32_t goal = 0;
    for (uint32_t i = 0; i < g->asked_count; i++) {
        if (g->m->r->records[g->asked[i]].thread != a->thread)
            continue;
        uint32_t state = state_with(a, g->m->order.position[g->asked[i]] + 1);
        if (state > goal)
            goal = state;
    }
    return goal;
}

static bool search_rows(struct grid *g, struct grid_path *path)
{
    bool meet = !g->q->wish_count; // the goal is one point, in front of the records
    uint32_t row_goal = goal_of(g, &g->rows) - meet, column_goal = goal_of(g, &g->columns) - meet;
    uint32_t rows = meet ? row_goal : g->rows.count, columns = meet ? column_goal : g->columns.count;
    for (uint32_t row = 0; row <= rows; row++) {
        allow_row(g, row);
        reach_row(g, row);
        for (uint32_t column = column_goal; row >= row_goal && column <= columns; column++)
            if (is_reached(g, row, column)) {
                walk_back(g, row, column, path);
                return true;
            }
    }
    return false;
}

static void grid_clear(struct grid *g)
{
    for (uint32_t i = 0; i < g->lock_numbers.count; i++) {
        free(g->locks[i].held);
        free(g->locks[i].any);
    }
    free(g->locks);
    table_free(&g->lock_numbers);
    g->lock_numbers = (struct table){0};
    g->locks = NULL;
    g->lock_room = 0;
    free(g->reached);
    free(g->allowed);
    g->reached = g->allowed = NULL;
}

// One search of the part from record `start` on, up to these positions.
static bool search_part(struct grid *g, uint32_t start, const uint32_t high[2], struct grid_path *path)
{
    const uint32_t *threads = g->q->threads;
    axis_make(&g->rows, g, threads[0], model_done_before(g->m, threads[0], start), high[0]);
    axis_make(&g->columns, g, threads[1], model_done_before(g->m, threads[1], start), high[1]);
    g->words = g->columns.count / 64 + 1;
    g->reached = alloc_zeroed((size_t)(g->rows.count + 1) * g->words, sizeof *g->reached);
    g->allowed = alloc_array(g->words, sizeof *g->allowed);
    note_sections(g);
    path->start = start;
    bool found = search_rows(g, path);
    grid_clear(g);
    return found;
}

// The record at which a thread's part begins and the position at which it ends, if there are so many marks on either side.
static void part_of(const struct grid *g, uint32_t thread, uint32_t margin, uint32_t *start, uint32_t *high)
{
    const struct marks *marks = &g->m->marks[thread];
    const struct recorded_thread *t = &g->m->r->threads[thread];
    uint32_t low_at = NOT_RECORDED, high_at = 0;
    for (uint32_t i = 0; i < g->asked_count; i++) {
        uint32_t position = g->m->order.position[g->asked[i]];
        if (g->m->r->records[g->asked[i]].thread != thread)
            continue;
        low_at = position < low_at ? position : low_at;
        high_at = position > high_at ? position : high_at;
    }
    uint32_t low_mark = model_mark_from(marks, low_at), high_mark = model_mark_from(marks, high_at + 1);
    low_mark = low_mark > margin ? low_mark - margin : 0;
    high_mark = marks->count - high_mark > margin ? high_mark + margin : marks->count;
    uint32_t from = low_mark < marks->count && low_mark ? marks->at[low_mark] : 0;
    uint32_t record = low_mark ? t->records[from < low_at ? from : low_at] : 0;
    *start = record < *start ? record : *start;
    *high = high_mark < marks->count ? marks->at[high_mark] : t->count;
}

static uint64_t points_from(const struct grid *g, uint32_t start, const uint32_t high[2])
{
    uint64_t points = 1;
    for (int i = 0; i < 2; i++) {
        uint32_t thread = g->q->threads[i], low = model_done_before(g->m, thread, start);
        const struct marks *marks = &g->m->marks[thread];
        points *= model_mark_from(marks, high[i]) - model_mark_from(marks, low) + 1 + g->asked_count;
    }
    return points;
}

static uint32_t list_asked(const struct question *q, uint32_t *asked)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < q->wish_count; i++) {
        asked[count++] = q->wishes[i].before;
        asked[count++] = q->wishes[i].after;
    }
    for (uint32_t i = 0; i < 2 && !q->wish_count; i++)
        asked[count++] = q->meet[i];
    return count;
}

// Searches larger and larger parts until a path is found or the next part would be too large.
static bool search_parts(struct grid *g, uint64_t points, struct grid_path *path)
{
    const struct recorded_thread *t = g->m->r->threads;
    const uint32_t *threads = g->q->threads;
    bool found = false;
    while (!found && !path->whole) {
        uint32_t start = NOT_RECORDED, high[2], margin = g->m->margin << (3 * path->searches);
        part_of(g, threads[0], margin, &start, &high[0]);
        part_of(g, threads[1], margin, &start, &high[1]);
        uint64_t asked = points_from(g, start, high);
        if (asked > points)
            break;
        path->points += asked;
        path->searches++;
        path->whole = !start && high[0] == t[threads[0]].count && high[1] == t[threads[1]].count;
        found = search_part(g, start, high, path);
    }
    return found;
}

// Whether each of the records to meet could be done where they meet, as far as the other thread is concerned.
static bool can_meet(const struct model *m, const struct question *q)
{
    for (int i = 0; i < 2; i++) {
        uint32_t needs = order_needs(&m->order, q->threads[i], m->order.position[q->meet[i]] + 1, q->threads[!i]);
        if (needs > m->order.position[q->meet[!i]])
            return false;
    }
    return true;
}

enum grid_answer grid_search(const struct model *m, const struct question *q, uint64_t points, struct grid_path *path)
{
    if (!q->wish_count && !can_meet(m, q))
        return GRID_NO;
    uint32_t asked[2 * MOST_WISHES];
    struct grid g = {.m = m, .q = q, .asked = asked, .asked_count = list_asked(q, asked)};
    path->count = 0;
    bool found = search_parts(&g, points, path);
    free(g.rows.at);
    free(g.columns.at);
    return found ? GRID_YES : path->whole ? GRID_NO : GRID_NOT_THERE;
}

void grid_path_free(struct grid_path *path)
{
    free(path->steps);
    *path = (struct grid_path){0};
}
