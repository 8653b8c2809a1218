#include "report/svg.h"

static void svg_escaped(FILE *out, const char *text)
{
    for (; *text; text++) {
        const char *entity = *text == '<' ? "&lt;" : *text == '&' ? "&amp;" : *text == '>' ? "&gt;" : NULL;
        if (entity)
            fputs(entity, out);
        else
            fputc(*text, out);
    }
}

void svg_text(FILE *out, int x, int y, const char *anchor, const char *text)
{
    fprintf(out, "<text x='%d' y='%d' text-anchor='%s'>", x, y, anchor);
    svg_escaped(out, text);
    fputs("</text>\n", out);
}
