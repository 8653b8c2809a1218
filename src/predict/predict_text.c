#include "predict/predict_text.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "predict/variable_names.h"
#include "report/columns.h"
#include "report/quote.h"

enum { MOST_ROWS = 40, ROWS_BEFORE = 6 };

static bool is_key(const struct prediction *p, uint32_t record)
{
    for (uint32_t i = 0; i < p->record_count; i++)
        if (p->records[i] == record)
            return true;
    return false;
}

// Whether a record is shown: the prediction's own, and what synchronises or accesses its variables.
static bool is_shown(const struct hunt *h, const struct prediction *p, uint32_t record)
{
    const struct record *e = &h->r->records[record];
    if (is_key(p, record))
        return true;
    if (record_table[e->kind].access)
        for (uint32_t i = 0; i < p->record_count; i++) {
            const struct record *key = &h->r->records[p->records[i]];
            if (record_table[key->kind].access && key->object == e->object)
                return true;
        }
    bool region = e->kind == RECORD_REGION_BEGIN || e->kind == RECORD_REGION_END;
    bool silent = e->kind == RECORD_BEGIN || e->kind == RECORD_END || e->kind == RECORD_ALLOCATE;
    return !record_table[e->kind].access && !region && !silent && e->kind != RECORD_RELEASE;
}

// The part of the order that is shown: from a little before the first of the prediction's records to its last. What is to meet
// stands behind the order.
static void shown_part(const struct hunt *h, const struct prediction *p, uint32_t *from, uint32_t *to)
{
    const struct reordering *w = &p->order;
    uint32_t first = w->count, last = 0;
    for (uint32_t i = 0; i < w->count; i++)
        if (is_key(p, w->records[i])) {
            first = i < first ? i : first;
            last = i + 1;
        }
    *to = last ? last : w->count;
    *from = first;
    for (uint32_t rows = 0; *from > 0 && rows < ROWS_BEFORE; rows += is_shown(h, p, w->records[*from]))
        --*from;
}

static size_t column_of(struct columns *t, uint32_t *columns, const struct recording *r, uint32_t thread)
{
    if (columns[thread] == NOT_RECORDED) {
        columns[thread] = (uint32_t)t->columns;
        const char *name = r->threads[thread].name;
        buffer_add_safe(columns_add_column(t), name, strlen(name), false);
    }
    return columns[thread];
}

// Returns whether the row tells a value.
static bool add_row(struct columns *t, uint32_t *columns, const struct hunt *h, const struct prediction *p,
                    const struct style *style, uint32_t record, bool waits)
{
    size_t column = column_of(t, columns, h->r, h->r->records[record].thread);
    bool other = t->count && t->rows[t->count - 1].column != column;
    struct columns_row *row = columns_add_row(t);
    row->column = column;
    row->rule = other;
    place_short(h->r, h->r->records[record].place, &row->where);
    predict_action(h->r, record, &row->text);
    size_t length = row->text.length;
    predict_values(h->r, record, style, &row->text);
    bool tells = row->text.length > length;
    if (waits)
        buffer_add(&row->text, p->kind == PREDICT_DEADLOCK ? ": waits"
                               : p->kind == PREDICT_TRY    ? ": fails"
                                                           : ": at the same time");
    row->look = is_key(p, record) ? LOOK_DECISIVE : LOOK_PLAIN;
    return tells;
}

static void print_order(FILE *out, const struct hunt *h, const struct prediction *p, const struct style *style)
{
    struct columns t = {0};
    uint32_t *columns = alloc_array(h->r->thread_count, sizeof *columns), from, to, left = 0;
    for (uint32_t i = 0; i < h->r->thread_count; i++)
        columns[i] = NOT_RECORDED;
    bool values = false;
    shown_part(h, p, &from, &to);
    for (uint32_t i = from; i < to; i++) {
        if (!is_shown(h, p, p->order.records[i]))
            continue;
        if (t.count < MOST_ROWS || is_key(p, p->order.records[i]))
            values |= add_row(&t, columns, h, p, style, p->order.records[i], false);
        else
            left++;
    }
    for (uint32_t i = 0; i < p->record_count && (p->kind == PREDICT_RACE || p->kind == PREDICT_DEADLOCK); i++)
        values |= add_row(&t, columns, h, p, style, p->records[i], true);
    if (p->kind == PREDICT_TRY && p->record_count == 3)
        values |= add_row(&t, columns, h, p, style, p->records[1], true);
    columns_print(&t, out, style);
    if (values)
        fputs("  (values are those of the recorded run; in this order they may be others)\n", out);
    if (left)
        fprintf(out, "  (%u rows are left out)\n", left);
    columns_free(&t);
    free(columns);
}

static const char *const confirmation_words[] = {
    [UNCONFIRMED] = "not tried",
    [CONFIRMED] = "confirmed",
    [INFEASIBLE] = "infeasible",
    [UNKNOWN] = "unknown",
};

void predict_text(FILE *out, const struct hunt *h, const struct prediction *p, uint32_t number, bool all,
                  const struct style *style)
{
    struct buffer text = {0};
    buffer_add(&text, "%u. %s%s: ", number, prediction_table[p->kind].title, p->harmful ? ", harmful" : "");
    predict_sentence(h, p, &text);
    fputs(style_on(style, LOOK_BOLD), out);
    columns_print_wrapped(out, style, buffer_text(&text), 3);
    fputs(style_off(style, LOOK_BOLD), out);
    fputs("\n", out);
    print_order(out, h, p, style);
    buffer_cut(&text, 0);
    predict_remedy(h, p, &text);
    if (text.length) {
        columns_print_wrapped(out, style, text.text, 3);
        fputs("\n", out);
    }
    if (p->idiom)
        fputs(p->idiom == IDIOM_STATISTIC ? "   each write follows a read of the same line: it may be a statistic\n"
                                          : "   one place writes it, others read it: it may be a flag\n",
              out);
    if (p->confirmed != UNCONFIRMED || p->reason)
        fprintf(out, "   %s%s%s\n", confirmation_words[p->confirmed], p->reason ? ": " : "",
                p->reason ? p->reason : "");
    if (p->schedule)
        quote_print(out, "   heddle replay", p->schedule);
    if (p->again)
        fprintf(out, "   %s\n", p->again);
    if (!all && p->alike > 1)
        fprintf(out, "   it stands for %u like it (--all)", p->alike);
    if (!all && p->alike > 1 && p->harmful)
        fprintf(out, ", %u harmful", p->alike_harmful);
    fputs(!all && p->alike > 1 ? "\n" : "", out);
    fputs("\n", out);
    buffer_free(&text);
}

void correlations_text(FILE *out, const struct correlations *c, const struct recording *first)
{
    fprintf(out, "%8s %6s %6s %6s  %s\n", "distance", "x..y", "y..x", "share", "variables");
    for (uint32_t i = 0; i < c->count; i++) {
        const struct correlation *p = &c->list[i];
        fprintf(out, "%8.2f %6llu %6llu %5.0f%%  %s, %s", p->distance, (unsigned long long)p->forward,
                (unsigned long long)p->backward, 100 * p->share, correlate_name(c, p->x), correlate_name(c, p->y));
        if (p->one_block)
            fputs(" (in one struct)", out);
        struct buffer lock = {0};
        if (p->lock_count && !p->recording)
            object_name(first, p->locks[0], &lock);
        if (lock.length)
            fprintf(out, " (under %s)", lock.text);
        buffer_free(&lock);
        fputs("\n", out);
    }
    fprintf(out, "%u pairs; %llu more have too few occurrences, or come in pairs in one thread only\n", c->count,
            (unsigned long long)c->weak);
}
