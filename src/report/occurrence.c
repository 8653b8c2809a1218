#include "report/occurrence.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"

struct source_lines {
    char **lines; // without blanks
    bool *closes; // the line ends a function: a brace in the first column
    size_t count, room, closes_room;
};

static char *without_blanks(const char *text)
{
    char *packed = alloc_copy(text), *to = packed;
    for (const char *at = text; *at; at++)
        if (!isspace((unsigned char)*at))
            *to++ = *at;
    *to = 0;
    return packed;
}

static bool read_source(struct source_lines *s, const char *path)
{
    FILE *file = path ? fopen(path, "r") : NULL;
    struct buffer line = {0};
    if (!file)
        return false;
    while (buffer_read_line(&line, file)) {
        s->lines = alloc_grow(s->lines, s->count, &s->room, sizeof *s->lines);
        s->closes = alloc_grow(s->closes, s->count, &s->closes_room, sizeof *s->closes);
        s->closes[s->count] = line.text[0] == '}';
        s->lines[s->count++] = without_blanks(line.text);
    }
    buffer_free(&line);
    fclose(file);
    return true;
}

static void free_source(struct source_lines *s)
{
    for (size_t i = 0; i < s->count; i++)
        free(s->lines[i]);
    free(s->lines);
    free(s->closes);
}

static bool is_alike(const char *line, const char *here, const char *condition)
{
    return !strcmp(line, here) || (condition && strstr(line, "assert") && strstr(line, condition));
}

static void count(const struct source_lines *s, const struct symbols_place *place, const char *condition,
                  struct buffer *out)
{
    size_t here = (size_t)place->line - 1, number = 1, all = 1;
    for (size_t i = (size_t)place->begins - 1; i < here; i++)
        number += is_alike(s->lines[i], s->lines[here], condition);
    for (size_t i = here + 1; i < s->count && !s->closes[i]; i++)
        all += is_alike(s->lines[i], s->lines[here], condition);
    all += number - 1;
    if (all > 1)
        buffer_add(out, " (%zu of %zu)", number, all);
}

void occurrence_add(const struct symbols_place *place, const char *condition, struct buffer *out)
{
    struct source_lines source = {0};
    if (place->begins <= 0 || place->line < place->begins)
        return;
    char *packed = condition ? without_blanks(condition) : NULL;
    if (read_source(&source, place->file) && (size_t)place->line <= source.count)
        count(&source, place, packed, out);
    else
        buffer_add(out, " (line %d of it)", place->line - place->begins + 1);
    free_source(&source);
    free(packed);
}
