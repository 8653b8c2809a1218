// What recording_finish does: from variables as they were accessed to variables that do not overlap, and each thread's list of its
// own records.
//
// Narrow accesses, of up to WIDE bytes, are those of program variables: if two of them overlap, what they cover together is one
// variable. Wide ones copy or clear many variables at once. Each becomes one access to every variable in its range, in the order of their
// offsets: those that narrow accesses have made, and the *gaps* between them, which no narrow access ever touched. A gap is divided
// where wide accesses begin and end, so threads that each fill a part of an array share no variable. If there are very many such
// places in a block (MOST_ENDS), it is not, and what wide accesses that overlap cover together is one variable there. Gaps of a few
// bytes beside variables are what compilers leave free in structures, and are left out.
//
// A compiler copies or sets small structures as a whole, too: a plain access counts as wide if two or more variables that do not
// overlap are accessed within it. If it made them one variable, threads that keep to fields of their own would seem to share it.
#include <stdlib.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "trace/recording.h"

enum { WIDE = 16, PADDING = 8, MOST_ENDS = 64 };

struct layout {
    struct recording *r;
    struct recorded_variable *asked; // the variables as they were accessed
    uint32_t *sorted;                // variables by block, offset and size
    uint32_t *same;                  // for each variable as accessed: the one it became, narrow or wide
    bool *wide;                      // for each variable as accessed
    uint32_t *narrow;                // narrow variables that are left, in the order of sorted
    uint32_t narrow_count;
    uint32_t *pieces; // these and gaps, in the same order: no two overlap
    uint32_t piece_count;
    size_t piece_room;
};

static const struct recorded_variable *sort_variables;

static int by_position(const void *a, const void *b)
{
    const struct recorded_variable *x = &sort_variables[*(const uint32_t *)a],
                                   *y = &sort_variables[*(const uint32_t *)b];
    if (x->block != y->block)
        return x->block < y->block ? -1 : 1;
    if (x->offset != y->offset)
        return x->offset < y->offset ? -1 : 1;
    return (x->size > y->size) - (x->size < y->size);
}

// ---- which accesses are wide ----

// Whether several narrow variables lie within the one that stands at `at` in the sorted ones, and none lies across its ends.
static bool has_parts(const struct layout *l, uint32_t at)
{
    const struct recorded_variable *whole = &l->asked[l->sorted[at]];
    uint64_t end = whole->offset + whole->size, parts_end = whole->offset;
    uint32_t first = at, parts = 0;
    while (first && l->asked[l->sorted[first - 1]].block == whole->block &&
           l->asked[l->sorted[first - 1]].offset + WIDE > whole->offset)
        first--;
    for (uint32_t i = first; i < l->r->variable_count; i++) {
        const struct recorded_variable *v = &l->asked[l->sorted[i]];
        if (v->block != whole->block || v->offset >= end)
            break;
        if (v->size >= whole->size || l->wide[l->sorted[i]] || v->offset + v->size <= whole->offset)
            continue;
        if (v->offset < whole->offset || v->offset + v->size > end)
            return false;
        parts += v->offset >= parts_end;
        parts_end = v->offset + v->size > parts_end ? v->offset + v->size : parts_end;
    }
    return parts > 1;
}

// Smaller ones first, since what is wide is no part of others.
static void find_wide(struct layout *l)
{
    const struct recording *r = l->r;
    bool *whole = alloc_zeroed((size_t)r->variable_count + 1, sizeof *whole); // is accessed by atomic operations
    for (uint32_t i = 0; i < r->count; i++)
        if (record_table[r->records[i].kind].atomic)
            whole[r->records[i].object] = true;
    uint32_t sizes = 0;
    for (uint32_t v = 0; v < r->variable_count; v++) {
        l->wide[v] = l->asked[v].size > WIDE;
        sizes |= l->wide[v] ? 0 : 1u << l->asked[v].size;
    }
    for (uint32_t size = 2; size <= WIDE; size++)
        for (uint32_t at = 0; sizes >> size & 1 && at < r->variable_count; at++)
            if (l->asked[l->sorted[at]].size == size && !whole[l->sorted[at]])
                l->wide[l->sorted[at]] = has_parts(l, at);
    free(whole);
}

// ---- variables that do not overlap ----

// Merges narrow variables that overlap, in one walk over the sorted ones.
static void merge_narrow(struct layout *l)
{
    struct recorded_variable *v = l->r->variables;
    uint32_t last = NOT_RECORDED;
    for (uint32_t i = 0; i < l->r->variable_count; i++) {
        uint32_t at = l->sorted[i];
        if (l->wide[at])
            continue;
        if (last != NOT_RECORDED && v[last].block == v[at].block && v[at].offset < v[last].offset + v[last].size) {
            uint64_t end = v[at].offset + v[at].size;
            if (end > v[last].offset + v[last].size)
                v[last].size = (uint32_t)(end - v[last].offset);
            l->same[at] = last;
        } else {
            last = at;
            l->narrow[l->narrow_count++] = at;
        }
    }
}

// ---- gaps ----

static void add_piece(struct layout *l, uint32_t variable)
{
    l->pieces = alloc_grow(l->pieces, l->piece_count, &l->piece_room, sizeof *l->pieces);
    l->pieces[l->piece_count++] = variable;
}

static void add_gap(struct layout *l, uint32_t block, uint64_t from, uint64_t to, bool beside)
{
    struct recording *r = l->r;
    if (from >= to || (beside && to - from < PADDING))
        return;
    r->variables = alloc_grow(r->variables, r->variable_count, &r->variable_room, sizeof *r->variables);
    r->variables[r->variable_count] =
        (struct recorded_variable){.block = block, .offset = from, .size = (uint32_t)(to - from)};
    add_piece(l, r->variable_count++);
}

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

// A part of a block that wide accesses cover without a hole, and where they begin and end in it.
struct stretch {
    uint64_t from, to;
    uint64_t *ends;
    size_t count, room;
};

static void note_end(struct stretch *s, uint64_t at)
{
    s->ends = alloc_grow(s->ends, s->count, &s->room, sizeof *s->ends);
    s->ends[s->count++] = at;
}

// Where a gap from `from` on ends, at the latest at `to`.
static uint64_t gap_end(const struct stretch *s, uint64_t from, uint64_t to)
{
    size_t low = 0, high = s->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (s->ends[middle] <= from)
            low = middle + 1;
        else
            high = middle;
    }
    return low < s->count && s->ends[low] < to ? s->ends[low] : to;
}

static void divide_gap(struct layout *l, uint32_t block, const struct stretch *s, uint64_t from, uint64_t to)
{
    bool beside = from > s->from || to < s->to; // a narrow variable
    while (from < to) {
        uint64_t end = gap_end(s, from, to);
        add_gap(l, block, from, end, beside && end - from == to - from);
        from = end;
    }
}

// Pieces of a stretch; `*at` is the first narrow variable that is not a piece yet.
static void divide_stretch(struct layout *l, uint32_t block, struct stretch *s, uint32_t *at)
{
    uint64_t from = s->from;
    if (s->count)
        qsort(s->ends, s->count, sizeof *s->ends, by_value);
    size_t kept = 0;
    for (size_t i = 0; i < s->count; i++)
        if (!kept || s->ends[kept - 1] != s->ends[i])
            s->ends[kept++] = s->ends[i];
    s->count = kept > MOST_ENDS ? 0 : kept;
    for (; *at < l->narrow_count; ++*at) {
        const struct recorded_variable n = l->r->variables[l->narrow[*at]];
        if (n.block > block || (n.block == block && n.offset >= s->to))
            break;
        if (n.block == block && n.offset > from)
            divide_gap(l, block, s, from, n.offset);
        if (n.block == block && n.offset + n.size > from)
            from = n.offset + n.size;
        add_piece(l, l->narrow[*at]);
    }
    divide_gap(l, block, s, from, s->to);
}

// The wide variables, in their order, as stretches; between these the narrow ones alone are pieces.
static void find_pieces(struct layout *l)
{
    uint32_t at = 0, variables = l->r->variable_count;
    struct stretch s = {0};
    for (uint32_t i = 0; i < variables;) {
        if (!l->wide[l->sorted[i]]) {
            i++;
            continue;
        }
        const struct recorded_variable first = l->asked[l->sorted[i]];
        s.from = first.offset;
        s.to = first.offset + first.size;
        s.count = 0;
        for (; i < variables; i++) {
            const struct recorded_variable *v = &l->asked[l->sorted[i]];
            if (v->block != first.block || (l->wide[l->sorted[i]] && v->offset >= s.to))
                break;
            if (!l->wide[l->sorted[i]])
                continue;
            note_end(&s, v->offset);
            note_end(&s, v->offset + v->size);
            s.to = v->offset + v->size > s.to ? v->offset + v->size : s.to;
        }
        divide_stretch(l, first.block, &s, &at);
    }
    for (; at < l->narrow_count; at++)
        add_piece(l, l->narrow[at]);
    free(s.ends);
}

// The first piece that ends behind the beginning of `v`.
static uint32_t first_within(const struct layout *l, const struct recorded_variable *v)
{
    uint32_t low = 0, high = l->piece_count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        const struct recorded_variable *n = &l->r->variables[l->pieces[middle]];
        bool before = n->block != v->block ? n->block < v->block : n->offset + n->size <= v->offset;
        if (before)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool is_within(const struct layout *l, uint32_t at, const struct recorded_variable *v)
{
    if (at >= l->piece_count)
        return false;
    const struct recorded_variable *n = &l->r->variables[l->pieces[at]];
    return n->block == v->block && n->offset < v->offset + v->size;
}

// Puts the accesses of one record into `to`; returns how many there are. With a null pointer it only counts.
static uint32_t spread_access(const struct layout *l, const struct record *record, struct record *to)
{
    const struct recorded_variable *asked = &l->asked[record->object];
    uint32_t count = 0;
    for (uint32_t at = first_within(l, asked); is_within(l, at, asked); at++, count++)
        if (to) {
            to[count] = *record;
            to[count].object = l->pieces[at];
            if (l->r->variables[l->pieces[at]].size != asked->size)
                to[count].other = 0; // the values are of the whole
        }
    require(count);
    return count;
}

static bool is_wide_access(const struct layout *l, const struct record *record)
{
    return record_table[record->kind].access && l->wide[record->object];
}

static uint64_t count_records(const struct layout *l)
{
    uint64_t total = 0;
    for (uint32_t i = 0; i < l->r->count; i++) {
        const struct record *record = &l->r->records[i];
        total += is_wide_access(l, record) ? spread_access(l, record, NULL) : 1;
    }
    return total;
}

// Long runs fill much of the memory that there is: where no record becomes several, they stay where they are.
static void rewrite_records(struct layout *l)
{
    struct recording *r = l->r;
    uint64_t total = count_records(l);
    require(total < NOT_RECORDED);
    struct record *records = total == r->count ? r->records : alloc_array(total, sizeof *records);
    uint32_t count = 0;
    for (uint32_t i = 0; i < r->count; i++) {
        const struct record record = r->records[i];
        if (is_wide_access(l, &record)) {
            count += spread_access(l, &record, records + count);
            continue;
        }
        records[count] = record;
        if (record_table[record.kind].access)
            records[count].object = l->same[record.object];
        count++;
    }
    if (records == r->records)
        records = alloc_resize(records, total ? total : 1, sizeof *records);
    else
        free(r->records);
    r->records = records;
    r->count = count;
    r->record_room = total;
}

static void settle_variables(struct recording *r)
{
    size_t room = r->variable_count;
    struct layout l = {.r = r};
    l.sorted = alloc_array(room, sizeof *l.sorted);
    l.same = alloc_array(room, sizeof *l.same);
    l.narrow = alloc_array(room, sizeof *l.narrow);
    l.asked = alloc_array(room, sizeof *l.asked);
    l.wide = alloc_zeroed(room + 1, sizeof *l.wide);
    for (uint32_t v = 0; v < r->variable_count; v++) {
        l.sorted[v] = l.same[v] = v;
        l.asked[v] = r->variables[v];
    }
    sort_variables = l.asked;
    if (room)
        qsort(l.sorted, room, sizeof *l.sorted, by_position);
    find_wide(&l);
    merge_narrow(&l);
    find_pieces(&l);
    rewrite_records(&l);
    free(l.pieces);
    free(l.wide);
    free(l.asked);
    free(l.narrow);
    free(l.same);
    free(l.sorted);
}

static void list_records(struct recording *r)
{
    for (uint32_t i = 0; i < r->count; i++)
        r->threads[r->records[i].thread].count++;
    for (uint32_t t = 0; t < r->thread_count; t++) {
        r->threads[t].records = alloc_array(r->threads[t].count, sizeof *r->threads[t].records);
        r->threads[t].count = 0;
    }
    for (uint32_t i = 0; i < r->count; i++) {
        struct recorded_thread *thread = &r->threads[r->records[i].thread];
        thread->records[thread->count++] = i;
    }
}

void recording_finish(struct recording *r)
{
    require(!r->finished);
    r->finished = true;
    settle_variables(r);
    list_records(r);
}
