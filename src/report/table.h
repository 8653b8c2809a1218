// A table with a column per thread, fitted to the width of the page: cells are wrapped, and where threads are too many
// for columns their names stand in front of what they do.
#ifndef REPORT_TABLE_H
#define REPORT_TABLE_H

#include <stdio.h>

#include "report/buffer.h"
#include "report/style.h"

struct table_row {
    size_t column;        // whose cell; the number of columns or more: across all of them
    struct buffer number; // of the event; may be empty
    struct buffer where;  // file:line; may be empty
    struct buffer text;
    enum look look;
    bool rule; // a line above: another thread goes on here
};

struct table {
    struct buffer *heads; // one per column
    size_t columns, head_room;
    struct table_row *rows;
    size_t count, row_room;
};

struct buffer *table_add_column(struct table *t);
struct table_row *table_add_row(struct table *t);
void table_print(const struct table *t, FILE *out, const struct style *style);
void table_free(struct table *t);

// Prints text wrapped to the page, each line after the first indented by `indent`; the first has it already.
void table_print_wrapped(FILE *out, const struct style *style, const char *text, size_t indent);

#endif
