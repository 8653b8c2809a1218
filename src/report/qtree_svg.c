// A quorum tree as a picture: the rows of its sketch.
#include "report/qtree_draw.h"
#include "report/svg.h"

enum { COLUMN = 28, ROW = 26, LEFT = 30, RADIUS = 6 };

const char qtree_svg_style[] =
    ".edge{stroke:#999;fill:none}.committed{fill:#06c;stroke:#06c}.added{fill:#fff;stroke:#080}"
    ".ghost{fill:#fff;stroke:#aaa;stroke-dasharray:2}.refused{fill:#c00;stroke:#c00}.hidden{fill:#ddd;stroke:#ddd}"
    ".marked{stroke-width:3}";

static int row_x(const struct qtree_row *row)
{
    return LEFT + (int)row->depth * COLUMN;
}

static void draw_row(const struct qtree_drawing *d, const struct qtree_sketch *s, uint32_t number, int top, FILE *out)
{
    const struct qtree_row *row = &s->rows[number], *parent = &s->rows[row->parent];
    int x = row_x(row), y = top + (int)number * ROW, from = top + (int)row->parent * ROW;
    const char *status = row->node ? qtree_status_names[qtree_status(&d->tree->node[row->node])] : "hidden";
    struct buffer words = {0};
    qtree_row_words(d, row, &words);
    if (row->parent != number)
        fprintf(out, "<path d='M%d,%d V%d H%d' class='edge'/>\n", row_x(parent), from, y, x);
    fprintf(out, "<circle cx='%d' cy='%d' r='%d' class='%s%s'/>\n", x, y, RADIUS, status,
            row->is_marked ? " marked" : "");
    svg_text(out, x + 2 * RADIUS, y + 4, "start", buffer_text(&words));
    buffer_free(&words);
}

int qtree_svg_group(const struct qtree_drawing *d, uint32_t instance, const struct qtree_violation *v, int top,
                    FILE *out)
{
    struct qtree_sketch sketch;
    qtree_sketch_make(&sketch, d->tree, d->shape, instance, v);
    fputs("<g class='qtree'>\n", out);
    for (uint32_t i = sketch.count; i-- > 0;) // lines first: those of children lie below the circles of their parents
        draw_row(d, &sketch, i, top + ROW / 2, out);
    fputs("</g>\n", out);
    int height = ((int)sketch.count + 1) * ROW;
    qtree_sketch_free(&sketch);
    return height;
}
