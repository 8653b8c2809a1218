#include "predict/correlate.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "predict/variable_names.h"

// One variable that was accessed not long ago.
struct recent {
    uint32_t variable, number; // of the access
    uint32_t record;
};

struct window {
    struct recent recent[CORRELATE_WINDOW]; // the newest first, each variable once
    uint32_t count;
};

static uint32_t class_named(struct correlations *c, const char *name)
{
    bool added;
    uint32_t number = table_add_text(&c->classes, name, &added);
    if (added)
        c->accessed = alloc_grow(c->accessed, number, &c->accessed_room, sizeof *c->accessed);
    return number;
}

// Variables that several threads access, by name.
static void classify(struct correlations *c, const struct recording *r, const struct accesses *a)
{
    uint32_t *classes = alloc_array(r->variable_count, sizeof *classes);
    struct buffer name = {0};
    for (uint32_t v = 0; v < r->variable_count; v++) {
        uint32_t lines;
        accesses_lines(a, v, &lines);
        classes[v] = NOT_RECORDED;
        if (lines < 2)
            continue;
        buffer_cut(&name, 0);
        variable_class_name(r, v, &name);
        classes[v] = class_named(c, buffer_text(&name));
    }
    buffer_free(&name);
    c->class_of = alloc_grow(c->class_of, c->recordings, &c->recording_room, sizeof *c->class_of);
    c->class_of[c->recordings] = classes;
}

static struct correlation *pair_of(struct correlations *c, uint32_t x, uint32_t y, bool *added)
{
    uint32_t key[] = {x < y ? x : y, x < y ? y : x};
    uint32_t number = table_add(&c->pairs, key, sizeof key, added);
    if (*added) {
        c->list = alloc_grow(c->list, number, &c->room, sizeof *c->list);
        c->list[number] = (struct correlation){.x = key[0], .y = key[1], .one_block = true, .variables = NOT_RECORDED};
        c->count = number + 1;
    }
    return &c->list[number];
}

// Keeps the locks that are held around both accesses.
static void keep_locks(struct correlation *p, const struct sections *s, uint32_t thread, uint32_t first,
                       uint32_t second, bool fresh)
{
    uint32_t held[CORRELATE_LOCKS] = {0}, count = 0;
    const struct section_line *line = &s->lines[thread];
    for (uint32_t n = sections_held(s, thread, first); n != NOT_RECORDED; n = line->held[n].below) {
        const struct section *section = &line->sections[line->held[n].section];
        if (section_spans(section, first, second) && count < CORRELATE_LOCKS)
            held[count++] = section->lock;
    }
    uint32_t kept = 0, from = fresh ? count : p->lock_count;
    for (uint32_t i = 0; i < from; i++) {
        uint32_t lock = fresh ? held[i] : p->locks[i];
        bool there = fresh;
        for (uint32_t k = 0; k < count; k++)
            there |= held[k] == lock;
        if (there)
            p->locks[kept++] = lock;
    }
    p->lock_count = kept;
}

static void keep_variables(struct correlations *c, struct correlation *p, uint32_t x, uint32_t y)
{
    uint32_t key[] = {x, y};
    bool added;
    uint32_t number = table_add(&c->variable_keys, key, sizeof key, &added);
    if (!added)
        return;
    c->variables = alloc_grow(c->variables, number, &c->variable_room, sizeof *c->variables);
    c->variables[number] = (struct variable_pair){x, y, p->variables};
    p->variables = number;
}

struct walk {
    struct correlations *c;
    const struct recording *r;
    const struct sections *s;
    uint32_t thread;
    uint32_t number; // of accesses to shared variables so far
};

static void see_pair(struct walk *w, const struct recent *before, uint32_t record, uint32_t position)
{
    const uint32_t *classes = w->c->class_of[w->c->recordings];
    uint32_t x = classes[before->variable], y = classes[w->r->records[record].object];
    if (x == y)
        return; // two objects of one kind
    bool fresh;
    struct correlation *p = pair_of(w->c, x, y, &fresh);
    *(p->x == x ? &p->forward : &p->backward) += 1;
    p->distances[w->number - before->number - 1]++;
    p->threads |= 1ull << (w->thread % 64);
    uint32_t v = before->variable, u = w->r->records[record].object;
    p->one_block &= w->r->variables[v].block == w->r->variables[u].block;
    if (fresh)
        p->recording = w->c->recordings;
    if (!w->c->recordings)
        keep_variables(w->c, p, p->x == x ? v : u, p->x == x ? u : v);
    if (w->s && p->recording == w->c->recordings)
        keep_locks(p, w->s, w->thread, before->record, position, fresh);
}

// An access at `position`: it makes a pair with every variable that was accessed since its own last access.
static void see_access(struct walk *w, struct window *window, uint32_t record, uint32_t position)
{
    uint32_t variable = w->r->records[record].object;
    bool before_own = false;
    struct window now = {.recent = {{variable, w->number, position}}, .count = 1};
    for (uint32_t i = 0; i < window->count; i++) {
        const struct recent *old = &window->recent[i];
        if (w->number - old->number > CORRELATE_WINDOW)
            break;
        before_own |= old->variable == variable;
        if (old->variable == variable)
            continue;
        if (!before_own)
            see_pair(w, old, record, position);
        if (now.count < CORRELATE_WINDOW)
            now.recent[now.count++] = *old;
    }
    *window = now;
}

void correlate_add(struct correlations *c, const struct recording *r, const struct accesses *a,
                   const struct sections *s)
{
    classify(c, r, a);
    for (uint32_t t = 0; t < r->thread_count; t++) {
        struct window window = {.count = 0};
        struct walk w = {.c = c, .r = r, .s = s, .thread = t};
        for (uint32_t i = 0; i < r->threads[t].count; i++) {
            uint32_t record = r->threads[t].records[i];
            const struct record *e = &r->records[record];
            if (!record_table[e->kind].access || c->class_of[c->recordings][e->object] == NOT_RECORDED)
                continue;
            c->accessed[c->class_of[c->recordings][e->object]]++;
            see_access(&w, &window, record, i);
            w.number++;
        }
    }
    c->recordings++;
}

// The value in the middle of a histogram; of an even number the mean of both.
static double median_of(const uint64_t *counts, uint64_t total)
{
    double sum = 0;
    for (uint64_t rank = (total - 1) / 2; rank <= total / 2; rank++) {
        uint64_t seen = 0, value = 0;
        while (seen + counts[value] <= rank)
            seen += counts[value++];
        sum += (double)value;
    }
    return sum / (double)(total / 2 - (total - 1) / 2 + 1);
}

static void measure(struct correlation *p)
{
    uint64_t total = p->forward + p->backward;
    double median = median_of(p->distances, total);
    // Medians are multiples of a half, so deviations are too.
    uint64_t deviations[2 * CORRELATE_WINDOW] = {0};
    for (int d = 0; d < CORRELATE_WINDOW; d++)
        deviations[(int)(2 * fabs(d - median))] += p->distances[d];
    double deviation = 1.4826 * median_of(deviations, total) / 2, sum = 0, kept = 0;
    for (int d = 0; d < CORRELATE_WINDOW; d++) {
        bool keep = deviation > 0 ? fabs(d - median) < 2 * deviation : fabs(d - median) < 0.75;
        sum += keep ? (double)p->distances[d] * d : 0;
        kept += keep ? (double)p->distances[d] : 0;
    }
    p->distance = kept > 0 ? sum / kept : median;
}

static int best_first(const void *a, const void *b)
{
    const struct correlation *p = a, *q = b;
    if (p->distance != q->distance)
        return p->distance < q->distance ? -1 : 1;
    if (p->share != q->share)
        return p->share > q->share ? -1 : 1;
    uint64_t m = p->forward + p->backward, n = q->forward + q->backward;
    if (m != n)
        return m > n ? -1 : 1;
    return p->x != q->x ? (p->x > q->x) - (p->x < q->x) : (p->y > q->y) - (p->y < q->y);
}

void correlate_rank(struct correlations *c, uint64_t least)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        struct correlation *p = &c->list[i];
        uint64_t total = p->forward + p->backward;
        if (total < least || !(p->threads & (p->threads - 1))) {
            c->weak++;
            continue;
        }
        measure(p);
        p->share = 2.0 * (double)total / (double)(c->accessed[p->x] + c->accessed[p->y]);
        if (p->share > 1)
            p->share = 1;
        c->list[kept++] = *p;
    }
    c->count = kept;
    if (kept)
        qsort(c->list, kept, sizeof *c->list, best_first);
}

void correlate_free(struct correlations *c)
{
    for (uint32_t i = 0; i < c->recordings; i++)
        free(c->class_of[i]);
    free(c->class_of);
    free(c->list);
    free(c->accessed);
    table_free(&c->classes);
    table_free(&c->pairs);
    table_free(&c->variable_keys);
    free(c->variables);
    *c = (struct correlations){0};
}

const char *correlate_name(const struct correlations *c, uint32_t class)
{
    return table_text(&c->classes, class);
}
