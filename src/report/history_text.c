#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/interrupt.h"
#include "report/columns.h"
#include "report/history_phrase.h"

enum { NONE = UINT32_MAX, KEYS_NAMED = 10, MOST_ROWS = 60 };

static void print_effort(FILE *out, const struct history_report *r)
{
    fprintf(out, "  %.2f s, %.1f MiB\n", r->seconds, (double)r->memory / (1 << 20));
}

static void print_subject(FILE *out, const struct history_report *r)
{
    const struct judged *judged = r->judged;
    fprintf(out, "  model %s, %u operations of %u processes", judged->spec->name, r->input->count,
            r->input->process_count);
    if (r->input->keyed || judged->keyed)
        fprintf(out, ", %u %ss", judged->count, r->input->keyed ? "key" : tell_keys(r));
    fputc('\n', out);
}

// The parts with this verdict, by name.
static void print_parts(FILE *out, const struct history_report *r, enum verdict verdict)
{
    struct buffer text = {0};
    uint32_t found = 0;
    if (!r->input->keyed && !r->judged->keyed)
        return;
    for (uint32_t i = 0; i < r->judged->count; i++) {
        const struct judged_part *part = &r->judged->parts[i];
        if (part->verdict.verdict != verdict)
            continue;
        if (found++ < KEYS_NAMED) {
            buffer_add(&text, found > 1 ? "; " : "");
            tell_part(&text, r, part);
        }
    }
    if (found)
        fprintf(out, "  %s: %s", tell_verdict(r->judged->options.judgement, verdict), buffer_text(&text));
    if (found > KEYS_NAMED)
        fprintf(out, " and %u more", found - KEYS_NAMED);
    if (found)
        fputc('\n', out);
    buffer_free(&text);
}

// What was tried where nothing was found out.
static void print_unknown(FILE *out, const struct history_report *r)
{
    for (uint32_t i = 0; i < r->judged->count; i++) {
        const struct judged_part *part = &r->judged->parts[i];
        struct buffer name = {0};
        if (part->verdict.verdict != VERDICT_UNKNOWN)
            continue;
        tell_part(&name, r, part);
        fprintf(out, "  %s%s%s%s after %llu places; the longest order that was tried has %u of %u operations\n",
                buffer_text(&name), name.length ? ": " : "", interrupted() ? "" : "out of ",
                interrupted() ? interrupt_reason() : part->verdict.reason, (unsigned long long)part->verdict.visited,
                part->verdict.deepest, part->count);
        uint32_t line, most = history_overlap(part->ops, part->count, &line);
        fprintf(out, "  up to %u of them are under way at a time", most);
        if (line)
            fprintf(out, " (line %u)", line);
        fputs("; any of their orders may have to be tried\n", out);
        if (r->judged->spec->own && !r->judged->spec->about)
            fputs("  it would help if the model said what its calls are about (.about in heddle/model.h)\n", out);
        buffer_free(&name);
        break; // the others ran out of the same
    }
}

static void print_order(FILE *out, const struct history_report *r, const struct judged_part *part,
                        const struct style *style)
{
    struct buffer name = {0};
    tell_part(&name, r, part);
    if (part->order)
        fprintf(out, "  one order%s%s:\n", name.length ? " of " : "", buffer_text(&name));
    else
        fprintf(out, "  no order%s%s was constructed within the limits; the verdict does not need one\n",
                name.length ? " of " : "", buffer_text(&name));
    for (uint32_t i = 0; part->order && i < part->order_count; i++) {
        struct buffer text = {0};
        struct operation op = part->ops[part->order[i].op];
        op.known = true;
        op.result = part->order[i].result;
        tell_operation(&text, r, &op, style->gives);
        buffer_add(&text, "  (process ");
        tell_process(&text, r, op.process);
        fprintf(out, "    %s%s)\n", buffer_text(&text), operation_pending(&op) ? ", never returned" : "");
        buffer_free(&text);
    }
    buffer_free(&name);
}

// One event of the table

struct history_row {
    uint32_t op; // of the part
    bool end;
    int64_t time;
};

static int compare_rows(const void *a, const void *b)
{
    const struct history_row *x = a, *y = b;
    return x->time < y->time ? -1 : x->time > y->time;
}

static uint32_t collect_rows(const struct history_report *r, struct history_row *rows)
{
    const struct reason *e = r->explained;
    uint32_t count = 0;
    for (uint32_t i = 0; i < e->count; i++) {
        const struct operation *op = &r->wrong->ops[e->ops[i]];
        rows[count++] = (struct history_row){e->ops[i], false, op->invoked};
        if (!operation_pending(op) && (!e->end || op->returned < e->end))
            rows[count++] = (struct history_row){e->ops[i], true, op->returned};
    }
    qsort(rows, count, sizeof *rows, compare_rows);
    return count;
}

static uint32_t column_of(struct columns *table, uint32_t *columns, const struct history_report *r, uint32_t process)
{
    uint32_t at = 0;
    while (at < table->columns && columns[at] != process)
        at++;
    if (at == table->columns) {
        struct buffer *head = columns_add_column(table);
        buffer_add(head, "process ");
        tell_process(head, r, process);
        columns[at] = process;
    }
    return at;
}

static void fill_row(struct columns_row *row, const struct history_report *r, const struct history_row *from,
                     const struct style *style)
{
    const struct reason *e = r->explained;
    const struct operation *op = &r->wrong->ops[from->op];
    uint32_t line = from->end ? op->end_line : op->line;
    bool last = from->end && from->op == e->last, waits = from->op == r->wrong->verdict.unjustified;
    if (line)
        buffer_add(&row->where, "line %u", line);
    if (last || waits)
        buffer_add(&row->text, "%s ", style->failure);
    if (last || waits)
        row->look = LOOK_FAILURE;
    if (from->end) {
        tell_operation(&row->text, r, op, style->gives);
        if (!op->known || r->judged->spec->calls[op->call].result == SPEC_VOID)
            buffer_add(&row->text, " done");
        return;
    }
    row->look = last || waits ? row->look : LOOK_FAINT;
    tell_call(&row->text, r, op);
    buffer_add(&row->text, operation_pending(op) ? "%s (never returns)" : "%s", style->ellipsis);
}

static void print_table(FILE *out, const struct history_report *r, const struct style *style)
{
    const struct reason *e = r->explained;
    struct columns table = {0};
    struct history_row *rows = alloc_zeroed(2 * (size_t)e->count, sizeof *rows);
    uint32_t *columns = alloc_zeroed(e->count, sizeof *columns), count = collect_rows(r, rows);
    uint32_t first = count > MOST_ROWS ? count - MOST_ROWS : 0;
    if (first)
        fprintf(out, "  (%u earlier calls and returns belong to it; --json has them all)\n", first);
    for (uint32_t i = first; i < count; i++) {
        struct columns_row *row = columns_add_row(&table);
        row->column = column_of(&table, columns, r, r->wrong->ops[rows[i].op].process);
        fill_row(row, r, &rows[i], style);
    }
    columns_print(&table, out, style);
    columns_free(&table);
    free(columns);
    free(rows);
}

static void print_what(FILE *out, const struct history_report *r, const struct style *style)
{
    const struct reason *e = r->explained;
    struct buffer text = {0};
    uint32_t named = e->last != NONE ? e->last : r->wrong->verdict.unjustified;
    if (named == NONE)
        return;
    const struct operation *op = &r->wrong->ops[named];
    tell_operation(&text, r, op, style->gives);
    buffer_add(&text, " of process ");
    tell_process(&text, r, op->process);
    uint32_t line = e->last != NONE ? op->end_line : op->line;
    fprintf(out, "  %s%s %s", e->last != NONE ? "until " : "", buffer_text(&text),
            e->last != NONE ? "returns" : "never returns");
    if (line)
        fprintf(out, " (line %u)", line);
    fputs(e->last != NONE ? " there is an order of what has happened; after it there is none\n"
                          : ", though in no order of the others does it have to wait\n",
          out);
    buffer_free(&text);
}

static void print_states(FILE *out, const struct reason *e)
{
    if (!e->has_states)
        return;
    fputs("  just before, the state could be: ", out);
    for (uint32_t i = 0; i < e->state_count; i++) {
        struct buffer safe = {0};
        buffer_add_safe(&safe, e->states[i], strlen(e->states[i]), false);
        fprintf(out, "%s%s", i ? " | " : "", buffer_text(&safe));
        buffer_free(&safe);
    }
    fputs(e->more_states ? " | and more\n" : "\n", out);
}

static void print_wrong(FILE *out, const struct history_report *r, const struct style *style)
{
    const struct reason *e = r->explained;
    struct buffer name = {0};
    tell_part(&name, r, r->wrong);
    if (name.length)
        fprintf(out, "\n%s:\n", buffer_text(&name));
    print_what(out, r, style);
    fputc('\n', out);
    print_table(out, r, style);
    if (e->count < r->wrong->count)
        fprintf(out, "  shown: %u of %u operations%s; the others cannot help\n", e->count, r->wrong->count,
                e->smallest ? "" : ", perhaps more than are needed");
    print_states(out, e);
    buffer_free(&name);
}

void report_history_text(FILE *out, const struct history_report *r, bool colour)
{
    struct style style;
    const struct judged *judged = r->judged;
    enum look look = judged->verdict == VERDICT_NO ? LOOK_FAILURE : LOOK_BOLD;
    style_init(&style, out, colour);
    fprintf(out, "%s%s%s\n", style_on(&style, look), tell_verdict(judged->options.judgement, judged->verdict),
            style_off(&style, look));
    print_subject(out, r);
    print_parts(out, r, VERDICT_NO);
    if (judged->verdict != VERDICT_YES)
        print_parts(out, r, VERDICT_UNKNOWN);
    print_unknown(out, r);
    print_effort(out, r);
    if (r->wrong)
        print_wrong(out, r, &style);
    for (uint32_t i = 0; r->witness && i < judged->count; i++)
        if (judged->parts[i].verdict.verdict == VERDICT_YES)
            print_order(out, r, &judged->parts[i], &style);
}
