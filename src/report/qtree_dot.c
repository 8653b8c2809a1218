// Quorum trees for Graphviz.
#include "report/qtree_draw.h"

static const char *const looks[QTREE_STATUSES] = {
    [QTREE_ADDED] = "color=\"#008800\"",
    [QTREE_GHOST] = "color=\"#aaaaaa\", style=dashed",
    [QTREE_COMMITTED] = "color=\"#0066cc\", penwidth=3",
    [QTREE_REFUSED] = "color=\"#cc0000\", penwidth=3",
};

static void write_escaped(const char *text, FILE *out)
{
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            fputc('\\', out);
        fputc(*text, out);
    }
}

static void write_node(const struct qtree_drawing *d, uint32_t number, FILE *out)
{
    const struct qtree_node *n = &d->tree->node[number];
    struct buffer label = {0};
    if (n->parent == number) {
        buffer_add(&label, "instance ");
        d->names->instance(d->names->context, d->tree->instance[n->instance].number, &label);
    } else {
        qtree_word_round(n->round, &label);
        buffer_add(&label, " = ");
        d->names->value(d->names->context, n->value, &label);
    }
    fprintf(out, "n%u [label=\"", number);
    write_escaped(buffer_text(&label), out);
    fprintf(out, "\", %s];\n", looks[qtree_status(n)]);
    if (n->parent != number)
        fprintf(out, "n%u -> n%u;\n", n->parent, number);
    buffer_free(&label);
}

int qtree_dot(const struct qtree_drawing *d, FILE *out)
{
    fputs("digraph { node [shape=box, fontname=\"sans-serif\"];\n", out);
    for (uint32_t i = 1; i < d->tree->counts.nodes; i++)
        write_node(d, i, out);
    fputs("}\n", out);
    return ferror(out) ? -1 : 0;
}
