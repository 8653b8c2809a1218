#include "supervise/declared.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "report/symbols.h"

bool declared_atomic(const char *program, const struct job *job, const struct bug *race, struct buffer *name)
{
    struct symbols *symbols = symbols_new();
    Dwarf_Die type;
    bool typed = false;
    bool yes = symbols_add(symbols, program, job->answer.base) &&
               symbols_data(symbols, race->address, race->size, name, &type, &typed) && typed && types_is_atomic(&type);
    symbols_free(symbols);
    return yes;
}

// Whether the word stands there by itself, and not behind the operator that takes its address.
static bool is_word(const char *text, const char *at, size_t length)
{
    const char *before = at;
    while (before > text && (isalnum((unsigned char)before[-1]) || before[-1] == '_' || before[-1] == '.' ||
                             before[-1] == '>' || before[-1] == '-'))
        before--;
    return !isalnum((unsigned char)at[length]) && at[length] != '_' && (before == text || before[-1] != '&');
}

// Whether one of the variables stands between brackets in the line.
static bool has_index(const char *line, char names[][DECLARED_NAME])
{
    for (uint32_t i = 0; names[i][0]; i++) {
        const char *dot = strrchr(names[i], '.'), *last = dot ? dot + 1 : names[i];
        size_t length = strcspn(last, "[");
        for (const char *open = strchr(line, '['); open; open = strchr(open + 1, '[')) {
            const char *close = strchr(open, ']'), *at = strstr(open, last);
            for (; at && close && at < close; at = strstr(at + 1, last))
                if (length && is_word(line, at, length))
                    return true;
        }
    }
    return false;
}

static bool is_index_at(const struct symbols_place *place, char names[][DECLARED_NAME])
{
    struct buffer line = {0};
    bool yes = false;
    FILE *file = place->file && place->line > 0 ? fopen(place->file, "r") : NULL;
    for (int number = 1; file && buffer_read_line(&line, file); number++) {
        if (number < place->line)
            continue;
        yes = has_index(line.text, names);
        break;
    }
    if (file)
        fclose(file);
    buffer_free(&line);
    return yes;
}

bool declared_as_indices(const char *program, const struct job *job, char names[][DECLARED_NAME])
{
    struct symbols *symbols = symbols_new();
    bool all = symbols_add(symbols, program, job->answer.base);
    for (uint32_t i = 0; all && i < job->answer.plain_reads; i++) {
        struct symbols_place place[8];
        all = symbols_places(symbols, job->answer.plain_read[i], place, 8) > 0 && is_index_at(&place[0], names);
    }
    symbols_free(symbols);
    return all;
}
