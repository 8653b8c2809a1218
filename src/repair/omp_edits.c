#include "repair/omp_edits.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"

enum { CONTEXT = 3 };

struct lines {
    const char *text;
    uint32_t count;
};

static struct lines lines_of(const char *text)
{
    struct lines lines = {text, 0};
    for (const char *at = text; *at; lines.count++)
        at += strcspn(at, "\n") + (strchr(at, '\n') != NULL);
    return lines;
}

// A line without its end; the first is 1.
static const char *line_of(const struct lines *lines, uint32_t number, size_t *length)
{
    const char *at = lines->text;
    while (--number)
        at = strchr(at, '\n') + 1;
    *length = strcspn(at, "\n");
    return at;
}

static size_t indent_of(const char *line, size_t length)
{
    size_t n = 0;
    while (n < length && (line[n] == ' ' || line[n] == '\t'))
        n++;
    return n;
}

static bool has(const char *line, size_t length, const char *word)
{
    return memmem(line, length, word, strlen(word)) != NULL;
}

static bool begins(const char *line, size_t length, const char *word)
{
    size_t indent = indent_of(line, length);
    return length - indent >= strlen(word) && !memcmp(line + indent, word, strlen(word));
}

static bool can_change(const struct lines *lines, const struct omp_directive *d)
{
    size_t length, before_length = 0;
    if (!d->line || d->line > lines->count)
        return false;
    const char *line = line_of(lines, d->line, &length);
    const char *before = d->line > 1 ? line_of(lines, d->line - 1, &before_length) : line;
    if (before_length && before[before_length - 1] == '\\')
        return false;
    if (!omp_is_clause(d->kind))
        return begins(line, length, d->begins);
    return begins(line, length, "#") && has(line, length, "pragma") && has(line, length, "omp") &&
           line[length - 1] != '\\' && line[length - 1] != '\r' && !has(line, length, "//") && !has(line, length, "/*");
}

bool omp_edits_add(struct omp_edits *edits, const char *text, const struct omp_directive *directive)
{
    struct lines lines = lines_of(text);
    uint32_t at = edits->count;
    if (at == OMP_EDITS || !can_change(&lines, directive))
        return false;
    for (uint32_t i = 0; i < edits->count; i++)
        if (edits->directive[i].line == directive->line && !omp_is_clause(directive->kind))
            return false;
    for (; at && edits->directive[at - 1].line > directive->line; at--)
        edits->directive[at] = edits->directive[at - 1];
    edits->directive[at] = *directive;
    edits->count++;
    return true;
}

uint32_t omp_edits_old_line(const struct omp_edits *edits, uint32_t line)
{
    for (uint32_t i = 0; i < edits->count; i++)
        if (!omp_is_clause(edits->directive[i].kind) && edits->directive[i].line < line)
            line--;
    return line;
}

// What becomes of a line: directives in front of it, and itself with clauses. True if there is a change. `mark` begins each new line,
// `kept` a line that stays as it was.
static bool add_new(struct buffer *out, const struct omp_edits *edits, const struct lines *lines, uint32_t number,
                    const char *mark, const char *kept)
{
    size_t length;
    const char *line = line_of(lines, number, &length);
    bool changed = false, clauses = false;
    for (uint32_t i = 0; i < edits->count; i++) {
        const struct omp_directive *d = &edits->directive[i];
        if (d->line != number)
            continue;
        changed = true;
        clauses |= omp_is_clause(d->kind);
        if (!omp_is_clause(d->kind))
            buffer_add(out, "%s%.*s%s\n", mark, (int)indent_of(line, length), line, d->text);
    }
    buffer_add(out, "%s", clauses ? mark : kept);
    buffer_append(out, line, length);
    for (uint32_t i = 0; i < edits->count; i++)
        if (edits->directive[i].line == number && omp_is_clause(edits->directive[i].kind))
            buffer_add(out, " %s", edits->directive[i].text);
    if (line[length] == '\n')
        buffer_add(out, "\n");
    else if (*mark)
        buffer_add(out, "\n\\ No newline at end of file\n");
    return changed;
}

char *omp_edits_apply(const struct omp_edits *edits, const char *text)
{
    struct lines lines = lines_of(text);
    struct buffer out = {0};
    for (uint32_t i = 1; i <= lines.count; i++)
        add_new(&out, edits, &lines, i, "", "");
    return out.text;
}

// How many lines more there are because of the directives on these lines, and whether the lines themselves change.
static uint32_t added_from(const struct omp_edits *edits, uint32_t from, uint32_t to)
{
    uint32_t added = 0;
    for (uint32_t i = 0; i < edits->count; i++)
        added += edits->directive[i].line >= from && edits->directive[i].line <= to &&
                 !omp_is_clause(edits->directive[i].kind);
    return added;
}

static bool has_clause_at(const struct omp_edits *edits, uint32_t line)
{
    for (uint32_t i = 0; i < edits->count; i++)
        if (edits->directive[i].line == line && omp_is_clause(edits->directive[i].kind))
            return true;
    return false;
}

static void add_hunk(struct buffer *out, const struct omp_edits *edits, const struct lines *lines, uint32_t from,
                     uint32_t to)
{
    uint32_t before = added_from(edits, 1, from - 1), within = added_from(edits, from, to), old = to + 1 - from;
    buffer_add(out, "@@ -%u,%u +%u,%u @@\n", from, old, from + before, old + within);
    for (uint32_t i = from; i <= to; i++) {
        size_t length;
        const char *line = line_of(lines, i, &length);
        if (has_clause_at(edits, i))
            buffer_add(out, "-%.*s\n", (int)length, line);
        add_new(out, edits, lines, i, "+", " ");
    }
}

char *omp_edits_diff(const struct omp_edits *edits, const char *text, const char *name)
{
    struct lines lines = lines_of(text);
    struct buffer out = {0};
    buffer_add(&out, "--- a/%s\n+++ b/%s\n", name, name);
    for (uint32_t i = 0, next; i < edits->count; i = next) {
        uint32_t from = edits->directive[i].line, to = from;
        for (next = i; next < edits->count && edits->directive[next].line <= to + 2 * CONTEXT; next++)
            to = edits->directive[next].line;
        from = from > CONTEXT ? from - CONTEXT : 1;
        to = to + CONTEXT < lines.count ? to + CONTEXT : lines.count;
        add_hunk(&out, edits, &lines, from, to);
    }
    return out.text;
}
