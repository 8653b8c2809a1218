// What recording_finish does: from variables as they were accessed to variables that do not overlap, and each thread's list of its
// own records.
//
// Narrow accesses, of up to WIDE bytes, are those of program variables: if two of them overlap, what they cover together is one
// variable. Wide ones copy or clear many variables at once. Each becomes one access to every variable that narrow accesses have
// made in its range, in the order of their offsets. What no narrow access ever touched counts only against other wide ones: the wide
// variables that overlap there are one variable too.
//
// A compiler copies or sets small structures as a whole, too: a plain access counts as wide if two or more variables that do not
// overlap are accessed within it. If it made them one variable, threads that keep to fields of their own would seem to share it.
#include <stdlib.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "trace/recording.h"

enum { WIDE = 16 };

struct layout {
    struct recording *r;
    struct recorded_variable *asked; // the variables as they were accessed
    uint32_t *sorted;                // variables by block, offset and size
    uint32_t *same;                  // for each variable as accessed: the one it became, narrow or wide
    bool *wide;                      // for each variable as accessed
    uint32_t *narrow;                // narrow variables that are left, in the order of sorted
    uint32_t narrow_count;
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

// Merges overlapping variables of one width, in one walk over the sorted ones.
static void merge_overlapping(struct layout *l, bool wide)
{
    struct recorded_variable *v = l->r->variables;
    uint32_t last = NOT_RECORDED;
    for (uint32_t i = 0; i < l->r->variable_count; i++) {
        uint32_t at = l->sorted[i];
        if (l->wide[at] != wide)
            continue;
        if (last != NOT_RECORDED && v[last].block == v[at].block && v[at].offset < v[last].offset + v[last].size) {
            uint64_t end = v[at].offset + v[at].size;
            if (end > v[last].offset + v[last].size)
                v[last].size = (uint32_t)(end - v[last].offset);
            l->same[at] = last;
        } else {
            last = at;
            if (!wide)
                l->narrow[l->narrow_count++] = at;
        }
    }
}

// The first narrow variable that ends behind the beginning of `v`, in `narrow`.
static uint32_t first_within(const struct layout *l, const struct recorded_variable *v)
{
    uint32_t low = 0, high = l->narrow_count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        const struct recorded_variable *n = &l->r->variables[l->narrow[middle]];
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
    if (at >= l->narrow_count)
        return false;
    const struct recorded_variable *n = &l->r->variables[l->narrow[at]];
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
            to[count].object = l->narrow[at];
            to[count].other = 0; // the values are of the whole
        }
    if (!count && to) {
        to[0] = *record;
        to[0].object = l->same[record->object];
    }
    return count ? count : 1;
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
    merge_overlapping(&l, false);
    merge_overlapping(&l, true);
    rewrite_records(&l);
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
