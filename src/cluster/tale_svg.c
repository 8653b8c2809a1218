// A story as a picture.
#include "cluster/tale.h"

#include <string.h>

#include "report/svg.h"

enum { LANE = 220, LINE = 34, TOP = 70, LEFT = 60 };

static int svg_height(size_t row)
{
    return TOP + (int)row * LINE + LINE / 2;
}

// A message leaves where it was sent and arrives in its row; one to the node itself is a loop beside its lifeline.
static void svg_message(const struct tale_row *row, int y, FILE *out)
{
    int to = LEFT + row->node * LANE, from = LEFT + row->from * LANE, side = from < to ? -1 : 1;
    int sent = row->sent >= 0 ? svg_height((size_t)row->sent) : TOP - 16;
    bool lost = tale_is_lost(row);
    const char *class = lost ? "lost" : "message";
    if (from == to)
        fprintf(out, "<path d='M%d,%d C%d,%d %d,%d %d,%d' class='%s' fill='none' marker-end='url(#head)'/>\n", from,
                sent, from + 40, sent, to + 40, y, to, y, class);
    else
        fprintf(out, "<line x1='%d' y1='%d' x2='%d' y2='%d' class='%s' marker-end='url(#head)'/>\n", from, sent, to, y,
                class);
    svg_text(out, to + side * 12, y - 4, side < 0 ? "end" : "start", row->text);
    if (lost)
        svg_text(out, to, y + 5, "middle", "×");
}

static void svg_row(const struct tale *s, size_t number, FILE *out)
{
    const struct tale_row *row = &s->rows[number];
    int x = LEFT + row->node * LANE, y = svg_height(number);
    bool is_message = tale_is_passage(row);
    if (is_message) {
        svg_message(row, y, out);
    } else {
        fprintf(out, "<circle cx='%d' cy='%d' r='5' class='%s'/>\n", x, y, row->kind);
        svg_text(out, x + 10, y + 4, "start", row->text);
    }
    if (!row->after[0] || !strcmp(row->before, row->after))
        return;
    fprintf(out, "<g class='state'>");
    svg_text(out, x + 10, y + (is_message && row->from > row->node ? 10 : 16), "start", row->after);
    fputs("</g>\n", out);
}

int tale_svg_height(const struct tale *s)
{
    return TOP + (int)s->count * LINE + LINE;
}

void tale_svg(const struct tale *s, const char *title, const struct tale_annex *annex, FILE *out)
{
    int width = LEFT * 2 + s->nodes * LANE, height = tale_svg_height(s);
    fprintf(out,
            "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' font-family='sans-serif' font-size='12'>\n"
            "<style>.life{stroke:#999}.message{stroke:#000}.lost{stroke:#c00;stroke-dasharray:4}"
            ".state "
            "text{fill:#06c;font-size:10px}circle{fill:#06c}circle.crash{fill:#c00}circle.reboot{fill:#080}%s</style>\n"
            "<defs><marker id='head' markerWidth='8' markerHeight='8' refX='8' refY='4' orient='auto'>"
            "<path d='M0,0 L8,4 L0,8 z'/></marker></defs>\n",
            width, height + (annex ? annex->height : 0), annex ? annex->style : "");
    svg_text(out, 10, 20, "start", title);
    for (int node = 0; node < s->nodes; node++) {
        char name[24];
        snprintf(name, sizeof name, "node %d", node);
        svg_text(out, LEFT + node * LANE, TOP - 24, "middle", name);
        fprintf(out, "<line x1='%d' y1='%d' x2='%d' y2='%d' class='life'/>\n", LEFT + node * LANE, TOP - 16,
                LEFT + node * LANE, height - LINE / 2);
    }
    for (size_t i = 0; i < s->count; i++)
        svg_row(s, i, out);
    fprintf(out, "%s</svg>\n", annex ? annex->body : "");
}
