#include "report/columns.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

enum { GAP = 2, LEAST_COLUMN = 16, MOST_WHERE = 28 };

struct layout {
    size_t number, where; // widths
    size_t *columns;
    size_t total;
    bool stacked; // one column for all threads
};

struct buffer *columns_add_column(struct columns *t)
{
    t->heads = alloc_grow(t->heads, t->columns, &t->head_room, sizeof *t->heads);
    return &t->heads[t->columns++];
}

struct columns_row *columns_add_row(struct columns *t)
{
    t->rows = alloc_grow(t->rows, t->count, &t->row_room, sizeof *t->rows);
    return &t->rows[t->count++];
}

void columns_free(struct columns *t)
{
    for (size_t i = 0; i < t->columns; i++)
        buffer_free(&t->heads[i]);
    for (size_t i = 0; i < t->count; i++) {
        buffer_free(&t->rows[i].number);
        buffer_free(&t->rows[i].where);
        buffer_free(&t->rows[i].text);
    }
    free(t->heads);
    free(t->rows);
    *t = (struct columns){0};
}

static void widen(size_t *width, const struct buffer *text)
{
    size_t columns = style_columns(buffer_text(text));
    if (*width < columns)
        *width = columns;
}

static size_t sum_capped(const struct layout *l, size_t count, size_t cap)
{
    size_t sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += (l->columns[i] < cap ? l->columns[i] : cap) + GAP;
    return sum;
}

// Narrows the widest columns until all fit; too many threads share one.
static void fit(const struct columns *t, struct layout *l, size_t room)
{
    size_t cap = room;
    while (cap > LEAST_COLUMN && sum_capped(l, t->columns, cap) > room)
        cap--;
    l->stacked = sum_capped(l, t->columns, cap) > room;
    for (size_t i = 0; i < t->columns; i++)
        if (l->columns[i] > cap)
            l->columns[i] = cap;
    if (l->stacked)
        l->columns[0] = room;
}

static void lay_out(const struct columns *t, const struct style *style, struct layout *l)
{
    *l = (struct layout){.columns = alloc_zeroed(t->columns, sizeof *l->columns)};
    for (size_t i = 0; i < t->columns; i++)
        widen(&l->columns[i], &t->heads[i]);
    for (size_t i = 0; i < t->count; i++) {
        const struct columns_row *row = &t->rows[i];
        widen(&l->number, &row->number);
        widen(&l->where, &row->where);
        if (row->column < t->columns)
            widen(&l->columns[row->column], &row->text);
    }
    size_t most = style->width / 4 < MOST_WHERE ? style->width / 4 : MOST_WHERE;
    if (l->where > most)
        l->where = most;
    size_t left = l->number + l->where + (size_t)2 * GAP;
    fit(t, l, style->width > left + LEAST_COLUMN ? style->width - left : LEAST_COLUMN);
    l->total = left + (l->stacked ? l->columns[0] : sum_capped(l, t->columns, SIZE_MAX));
}

static void spaces(FILE *out, size_t count)
{
    for (size_t i = 0; i < count; i++)
        fputc(' ', out);
}

static size_t last_space(const char *text, size_t from)
{
    while (from > 0 && text[from] != ' ')
        from--;
    return from;
}

// The bytes of the next line of at most `width` columns, broken at a space if there is one; at least one character.
// A mark is not parted from the word it stands before.
static size_t next_line(const char *text, size_t width)
{
    size_t most = style_bytes(text, width ? width : 1);
    if (!text[most])
        return most;
    size_t at = last_space(text, most);
    size_t before = at > 1 ? last_space(text, at - 1) : 0;
    if (before > 0 && style_bytes(text + before + 1, 1) == at - before - 1)
        at = before;
    return at > 0 ? at : most;
}

// The end of a path says more than its beginning.
static void print_where(FILE *out, const struct style *style, const char *where, size_t width)
{
    size_t columns = style_columns(where), mark = style_columns(style->ellipsis);
    if (columns <= width) {
        fputs(where, out);
        spaces(out, width - columns);
        return;
    }
    const char *end = where + style_bytes(where, columns - width + mark);
    const char *slash = strchr(end, '/');
    end = slash ? slash : end;
    fprintf(out, "%s%s", style->ellipsis, end);
    spaces(out, width - mark - style_columns(end));
}

static void print_rule(FILE *out, const struct style *style, const char *mark, size_t width)
{
    fputs(style_on(style, LOOK_FAINT), out);
    for (size_t i = 0; i < width; i++)
        fputs(mark, out);
    fprintf(out, "%s\n", style_off(style, LOOK_FAINT));
}

static size_t column_start(const struct columns *t, const struct layout *l, size_t column)
{
    size_t at = 0;
    for (size_t i = 0; i < column && i < t->columns; i++)
        at += l->columns[i] + GAP;
    return at;
}

static void print_cell(const struct columns_row *row, FILE *out, const struct style *style, const char *text,
                       size_t indent, size_t width, size_t left)
{
    for (bool first = true; *text; first = false) {
        size_t length = next_line(text, width);
        spaces(out, first ? indent : left + indent);
        fprintf(out, "%s%.*s%s\n", style_on(style, row->look), (int)length, text, style_off(style, row->look));
        text += length;
        while (*text == ' ')
            text++;
    }
}

static void print_row(const struct columns *t, const struct layout *l, const struct columns_row *row, FILE *out,
                      const struct style *style)
{
    size_t left = l->number + l->where + (size_t)2 * GAP;
    struct buffer text = {0};
    size_t indent = 0, width = l->total - left;
    const char *number = buffer_text(&row->number);
    bool across = row->column >= t->columns;
    if (l->stacked && !across)
        buffer_add(&text, "%s: ", buffer_text(&t->heads[row->column]));
    buffer_add(&text, "%s", row->text.length ? row->text.text : " ");
    if (!l->stacked && !across) {
        indent = column_start(t, l, row->column);
        width = l->columns[row->column];
    }
    spaces(out, l->number - style_columns(number));
    fprintf(out, "%s", number);
    spaces(out, GAP);
    print_where(out, style, buffer_text(&row->where), l->where);
    spaces(out, GAP);
    print_cell(row, out, style, text.text, indent, width, left);
    buffer_free(&text);
}

static void print_heads(const struct columns *t, const struct layout *l, FILE *out, const struct style *style)
{
    spaces(out, l->number + l->where + (size_t)2 * GAP);
    for (size_t i = 0; i < t->columns; i++) {
        const char *head = buffer_text(&t->heads[i]);
        size_t columns = style_columns(head);
        fprintf(out, "%s%s%s", style_on(style, LOOK_BOLD), head, style_off(style, LOOK_BOLD));
        if (i + 1 < t->columns)
            spaces(out, (l->columns[i] > columns ? l->columns[i] - columns : 0) + GAP);
    }
    fputc('\n', out);
}

void columns_print(const struct columns *t, FILE *out, const struct style *style)
{
    struct layout l;
    if (t->columns == 0)
        return;
    lay_out(t, style, &l);
    if (!l.stacked)
        print_heads(t, &l, out, style);
    print_rule(out, style, style->line, l.total);
    for (size_t i = 0; i < t->count; i++) {
        if (t->rows[i].rule)
            print_rule(out, style, style->dots, l.total);
        print_row(t, &l, &t->rows[i], out, style);
    }
    print_rule(out, style, style->line, l.total);
    free(l.columns);
}

void columns_print_wrapped(FILE *out, const struct style *style, const char *text, size_t indent)
{
    size_t width = style->width > indent + LEAST_COLUMN ? style->width - indent : LEAST_COLUMN;
    for (bool first = true; *text; first = false) {
        size_t length = next_line(text, width);
        spaces(out, first ? 0 : indent);
        fprintf(out, "%.*s\n", (int)length, text);
        text += length;
        while (*text == ' ')
            text++;
    }
}
