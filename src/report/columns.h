// A table with a column per thread, fitted to the width of the page: cells are wrapped, and where threads are too many
// for columns their names stand in front of what they do.
#ifndef REPORT_COLUMNS_H
#define REPORT_COLUMNS_H

#include <stdio.h>

#include "base/buffer.h"
#include "report/style.h"

struct columns_row {
    size_t column;        // whose cell; the number of columns or more: across all of them
    struct buffer number; // of the event; may be empty
    struct buffer where;  // file:line; may be empty
    struct buffer text;
    enum look look;
    bool rule; // a line above: another thread goes on here
};

struct columns {
    struct buffer *heads; // one per column
    size_t columns, head_room;
    struct columns_row *rows;
    size_t count, row_room;
};

struct buffer *columns_add_column(struct columns *t);
struct columns_row *columns_add_row(struct columns *t);
void columns_print(const struct columns *t, FILE *out, const struct style *style);
void columns_free(struct columns *t);

// Prints text wrapped to the page, each line after the first indented by `indent`; the first has it already.
void columns_print_wrapped(FILE *out, const struct style *style, const char *text, size_t indent);

#endif
