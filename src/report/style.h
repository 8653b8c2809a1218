// How a report looks where it is printed: the characters that can be shown, colours, the width.
#ifndef REPORT_STYLE_H
#define REPORT_STYLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum look { LOOK_PLAIN, LOOK_BOLD, LOOK_FAINT, LOOK_DECISIVE, LOOK_FAILURE };

struct style {
    bool colour, utf8;
    size_t width;
    const char *gives, *takes, *becomes; // load x → 0, store x ← 1, cas x 0→1
    const char *ellipsis, *decisive, *failure, *line, *dots, *bullet;
};

// UTF-8 if the locale says so (LC_ALL, LC_CTYPE, LANG), otherwise ASCII; the width of the terminal or COLUMNS.
void style_init(struct style *s, FILE *out, bool colour);

// What starts and ends text of this look; empty without colour.
const char *style_on(const struct style *s, enum look look);
const char *style_off(const struct style *s, enum look look);

// How many columns UTF-8 text takes, one per character.
size_t style_columns(const char *text);

// The bytes of the first `columns` characters.
size_t style_bytes(const char *text, size_t columns);

#endif
