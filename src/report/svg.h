// Text in pictures.
#ifndef REPORT_SVG_H
#define REPORT_SVG_H

#include <stdio.h>

// `anchor` is start, middle or end. The text may have any characters.
void svg_text(FILE *out, int x, int y, const char *anchor, const char *text);

#endif
