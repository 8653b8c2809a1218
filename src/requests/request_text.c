#include "requests/request_text.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "report/columns.h"

enum { SHOWN_BODY = 32, MOST_SENT = 24 };

static const struct {
    const char *pattern, *title;
} titles[] = {
    {"RWW", "lost update"},
    {"WWW", "lost write"},
    {"WRW", "unfinished change seen"},
    {"RWR", "two reads that differ"},
    {"WWR", "own write not read back"},
};

const char *request_title(const struct prediction *one)
{
    for (size_t i = 0; i < sizeof titles / sizeof *titles && one->kind == PREDICT_ONE_VARIABLE; i++)
        if (!strcmp(one->pattern, titles[i].pattern))
            return titles[i].title;
    return "two resources out of step";
}

static void add_safe(struct buffer *out, const char *text)
{
    buffer_add_safe(out, text, strlen(text), false);
}

static void add_deed(const struct request_predictions *p, uint32_t record, struct buffer *out)
{
    const struct effect *e = request_effect(p, record);
    const struct request *r = &p->meaning.log->requests[e->request];
    add_safe(out, table_text(&p->meaning.clients, e->client));
    buffer_add(out, e->deed == DEED_WRITE ? " writes " : " reads ");
    add_safe(out, table_text(&p->meaning.resources, e->resource));
    buffer_add(out, " (%s, entry %u)", request_verb(r), r->entry);
}

void request_sentence(const struct request_predictions *p, const struct prediction *one, struct buffer *out)
{
    bool two = one->kind == PREDICT_TWO_VARIABLES;
    add_deed(p, one->records[0], out);
    buffer_add(out, two ? " before " : ", then ");
    add_deed(p, one->records[1], out);
    buffer_add(out, two ? ", and " : ", then ");
    add_deed(p, one->records[two ? 3 : 2], out);
    if (two) {
        buffer_add(out, " after ");
        add_deed(p, one->records[2], out);
    }
    buffer_add(out, two ? " (pattern %s)" : " (%s)", one->pattern);
}

static size_t column_of(struct columns *t, uint32_t *columns, const struct meaning *m, uint32_t client)
{
    if (columns[client] == NOT_RECORDED) {
        columns[client] = (uint32_t)t->columns;
        add_safe(columns_add_column(t), table_text(&m->clients, client));
    }
    return columns[client];
}

static struct columns_row *add_row(struct columns *t, uint32_t *columns, const struct request_predictions *p,
                                   uint32_t request)
{
    const struct request *r = &p->meaning.log->requests[request];
    size_t column = column_of(t, columns, &p->meaning, p->meaning.client_of[request]);
    bool other = t->count && t->rows[t->count - 1].column != column;
    struct columns_row *row = columns_add_row(t);
    row->column = column;
    row->rule = other;
    buffer_add(&row->where, "entry %u", r->entry);
    add_safe(&row->text, request_verb(r));
    buffer_add(&row->text, " ");
    add_safe(&row->text, request_what(r));
    return row;
}

static uint32_t *no_columns(const struct request_predictions *p)
{
    uint32_t *columns = alloc_array(p->meaning.clients.count + 1, sizeof *columns);
    for (uint32_t i = 0; i < p->meaning.clients.count; i++)
        columns[i] = NOT_RECORDED;
    return columns;
}

static void print_order(FILE *out, const struct request_predictions *p, const struct prediction *one,
                        const struct style *style)
{
    struct columns t = {0};
    struct request_order order;
    uint32_t *columns = no_columns(p);
    request_predicted_order(p, one, true, &order);
    for (uint32_t i = 0; i < order.count; i++)
        add_row(&t, columns, p, order.list[i].request)->look = order.list[i].key ? LOOK_DECISIVE : LOOK_PLAIN;
    columns_print(&t, out, style);
    columns_free(&t);
    free(order.list);
    free(columns);
}

// What would have prevented it.
static void print_remedy(FILE *out, const struct request_predictions *p, const struct prediction *one,
                         const struct style *style)
{
    const struct effect *first = request_effect(p, one->records[0]);
    const struct effect *last = request_effect(p, one->records[one->record_count - 1]);
    struct buffer text = {0};
    if (one->kind != PREDICT_ONE_VARIABLE)
        buffer_add(&text, "A lock around both, held by both clients, would prevent it.");
    else if (last->deed == DEED_WRITE && (first->deed == DEED_READ || one->pattern[1] == 'W'))
        buffer_add(&text, "If-Match with the version that was %s would have the server refuse the last request.",
                   first->deed == DEED_READ ? "read" : "written");
    else
        buffer_add(&text, "A lock around both, which the other client takes as well, would prevent it.");
    fputs("   ", out);
    columns_print_wrapped(out, style, text.text, 3);
    buffer_free(&text);
}

static void add_body(struct buffer *text, const struct sent_request *s)
{
    buffer_add(text, " %d", s->status);
    if (!s->length || s->status < 200 || s->status >= 300)
        return;
    buffer_add(text, " \"");
    buffer_add_safe(text, s->body, s->length < SHOWN_BODY ? s->length : SHOWN_BODY, false);
    buffer_add(text, s->length > SHOWN_BODY ? "…\"" : "\"");
}

// From the first request that the prediction is about.
static uint32_t first_shown(const struct resent *r)
{
    uint32_t first = 0;
    while (first < r->count && !r->sent[first].key)
        first++;
    return first < r->count ? first : r->count > MOST_SENT ? r->count - MOST_SENT : 0;
}

static void print_sent(FILE *out, const struct request_predictions *p, const struct resent *r,
                       const struct style *style)
{
    static const char *const words[] = {
        [UNCONFIRMED] = "not tried", [CONFIRMED] = "confirmed", [INFEASIBLE] = "infeasible", [UNKNOWN] = "unknown"};
    struct columns t = {0};
    uint32_t *columns = no_columns(p), from = first_shown(r);
    struct buffer text = {0};
    for (uint32_t i = from; i < r->count && i < from + MOST_SENT; i++) {
        const struct sent_request *s = &r->sent[i];
        struct columns_row *row;
        if (s->request != NO_EFFECT) {
            row = add_row(&t, columns, p, s->request);
        } else {
            row = columns_add_row(&t);
            row->column = SIZE_MAX;
            add_safe(&row->text, table_text(&p->meaning.resources, s->looked));
            buffer_add(&row->text, " is now:");
        }
        add_body(&row->text, s);
        row->look = s->key ? LOOK_DECISIVE : s->request == NO_EFFECT ? LOOK_FAINT : LOOK_PLAIN;
    }
    fputs("\n   Sent to the server:\n\n", out);
    columns_print(&t, out, style);
    buffer_add(&text, "%s%s%s.", words[r->confirmed], r->reason ? ": " : "", r->reason ? r->reason : "");
    fputs("   ", out);
    columns_print_wrapped(out, style, text.text, 3);
    buffer_free(&text);
    columns_free(&t);
    free(columns);
}

void request_text(FILE *out, const struct request_predictions *p, uint32_t number, const struct style *style)
{
    const struct prediction *one = &p->hunt.found.list[number];
    struct buffer text = {0};
    buffer_add(&text, "%u. %s%s: ", number + 1, request_title(one),
               p->resent && p->resent[number].harmful ? ", harmful" : "");
    request_sentence(p, one, &text);
    if (p->alike[number] > 1)
        buffer_add(&text, "; %u more like this", p->alike[number] - 1);
    fputs(style_on(style, LOOK_BOLD), out);
    columns_print_wrapped(out, style, text.text, 3);
    fputs(style_off(style, LOOK_BOLD), out);
    fputs("\n", out);
    print_order(out, p, one, style);
    print_remedy(out, p, one, style);
    if (p->resent)
        print_sent(out, p, &p->resent[number], style);
    fputs("\n", out);
    buffer_free(&text);
}

static void count(FILE *out, uint32_t number, const char *one, const char *many)
{
    if (number)
        fprintf(out, "%u %s\n", number, number == 1 ? one : many);
}

void request_summary(FILE *out, const struct request_predictions *p)
{
    const struct meaning *m = &p->meaning;
    fprintf(out, "%u prediction%s from %u requests of %u client%s\n", p->hunt.found.count,
            p->hunt.found.count == 1 ? "" : "s", m->log->count, m->clients.count, m->clients.count == 1 ? "" : "s");
    count(out, m->conditional, "write depends on a version, and counts as protected",
          "writes depend on versions, and count as protected");
    count(out, m->refused, "write was refused as outdated (409, 412)", "writes were refused as outdated (409, 412)");
    count(out, m->ignored, "request means nothing to the rules", "requests mean nothing to the rules");
    count(out, m->log->skipped, "entry of the log is no request", "entries of the log are no requests");
    count(out, p->recording.broken,
          "time somebody else wrote what was locked or depended on: that lock or version does not protect",
          "times somebody else wrote what was locked or depended on: those locks or versions do not protect");
    if (m->clients.count == 1)
        fputs("All requests are of one client: say in a rules file (--rules) which header tells clients apart.\n", out);
    if (p->hunt.found.left_out)
        fprintf(out, "%llu candidates far apart in the log were left out\n",
                (unsigned long long)p->hunt.found.left_out);
}
