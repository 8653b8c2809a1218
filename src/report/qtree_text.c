// A quorum tree as text: a row for each round, with a sign for its status.
#include "report/qtree_draw.h"
#include "report/style.h"

struct signs {
    const char *status[QTREE_STATUSES], *column, *branch, *hidden;
};

static const struct signs pretty = {{"○", "◌", "●", "✗"}, "│ ", "├─", "⋮"};
static const struct signs plain = {{"o", ".", "*", "!"}, "| ", "+-", ":"};

// Where the events of a round come from, if they are part of what went wrong.
static void add_origins(const struct qtree_drawing *d, const struct qtree_node *n, struct buffer *text)
{
    enum qtree_status status = qtree_status(n);
    bool follows = status == QTREE_GHOST || status == QTREE_REFUSED;
    buffer_add(text, "  %s%sadded", follows ? qtree_status_names[status] : "", follows ? ", " : "");
    d->names->origin(d->names->context, n->added, text);
    if (!n->is_committed)
        return;
    buffer_add(text, ", committed");
    d->names->origin(d->names->context, n->committed, text);
}

void qtree_row_words(const struct qtree_drawing *d, const struct qtree_row *row, struct buffer *text)
{
    const struct qtree_node *n = &d->tree->node[row->node];
    if (row->node == QTREE_NOBODY) {
        buffer_add(text, "%u rounds", row->hidden);
        return;
    }
    qtree_word_round(n->round, text);
    if (n->parent == row->node)
        return;
    buffer_add(text, " = ");
    d->names->value(d->names->context, n->value, text);
    if (row->is_marked)
        add_origins(d, n, text);
    else
        buffer_add(text, "  %s", qtree_status_names[qtree_status(n)]);
}

static void print_row(const struct qtree_drawing *d, const struct signs *signs, const struct qtree_row *row, FILE *out)
{
    struct buffer words = {0};
    qtree_row_words(d, row, &words);
    fputs("    ", out);
    for (uint32_t i = 0; i + row->begins < row->depth; i++)
        fputs(signs->column, out);
    if (row->begins)
        fputs(signs->branch, out);
    const char *sign = row->node ? signs->status[qtree_status(&d->tree->node[row->node])] : signs->hidden;
    fprintf(out, "%s %s\n", sign, buffer_text(&words));
    buffer_free(&words);
}

void qtree_text(const struct qtree_drawing *d, uint32_t instance, const struct qtree_violation *v, FILE *out)
{
    struct qtree_sketch sketch;
    struct style style;
    style_init(&style, out, false);
    qtree_sketch_make(&sketch, d->tree, d->shape, instance, v);
    for (uint32_t i = 0; i < sketch.count; i++)
        print_row(d, style.utf8 ? &pretty : &plain, &sketch.rows[i], out);
    qtree_sketch_free(&sketch);
}
