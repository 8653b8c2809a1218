// Quorum trees as text, as pictures, as JSON and for Graphviz.
#ifndef REPORT_QTREE_DRAW_H
#define REPORT_QTREE_DRAW_H

#include <cjson/cJSON.h>
#include <stdio.h>

#include "report/qtree_sketch.h"

struct qtree_drawing {
    const struct qtree *tree;
    const struct qtree_names *names;
    const struct qtree_shape *shape;
};

// One instance, as qtree_sketch.h says. `violation` may be null.
void qtree_text(const struct qtree_drawing *drawing, uint32_t instance, const struct qtree_violation *violation,
                FILE *out);

// A row of the sketch as words: "3 = b  committed".
void qtree_row_words(const struct qtree_drawing *drawing, const struct qtree_row *row, struct buffer *text);

// One instance as a group of SVG at this height, and how high it is. `violation` may be null.
int qtree_svg_group(const struct qtree_drawing *drawing, uint32_t instance, const struct qtree_violation *violation,
                    int top, FILE *out);

// How colours and lines of a picture with such groups look.
extern const char qtree_svg_style[];

// One instance, with origins as numbers.
cJSON *qtree_json(const struct qtree_drawing *drawing, uint32_t instance);

// Give an object a round of this name, and a value.
void qtree_json_round(cJSON *object, const char *name, struct qtree_round round);
void qtree_json_value(const struct qtree_drawing *drawing, cJSON *object, uint64_t value);

// All instances with every round. Returns 0, or -1 if it could not be written.
int qtree_dot(const struct qtree_drawing *drawing, FILE *out);

#endif
