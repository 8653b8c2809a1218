#include "inject/saved_faults.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"

// ---- writing ----

// Words of a command may have any characters; a line may not.
static void write_word(FILE *file, const char *word)
{
    fputs("word ", file);
    for (; *word; word++)
        if (*word == '\n' || *word == '\\')
            fprintf(file, "\\%c", *word == '\n' ? 'n' : '\\');
        else
            fputc(*word, file);
    fputc('\n', file);
}

void saved_faults_write_header(FILE *file, char *const *words, const char *way, const char *list)
{
    fprintf(file, "%s\n", SAVED_FIRST_LINE);
    for (; words && *words; words++)
        write_word(file, *words);
    fprintf(file, "way %s\nlist %s\n", way, list);
    fflush(file);
}

void saved_faults_write_outcome(FILE *file, const struct saved_outcome *o)
{
    fprintf(file, "%zu\t%d\t%d\t%s\t%s\t%s\n", o->number, o->class, o->status, o->name, o->trace ? o->trace : "",
            o->said ? o->said : "");
    fflush(file);
}

// ---- reading ----

static char *read_word(const char *text)
{
    char *word = alloc_copy(text), *to = word;
    for (const char *from = word; *from; from++)
        *to++ = *from != '\\' || !from[1] ? *from : *++from == 'n' ? '\n' : *from;
    *to = 0;
    return word;
}

static void add_word(struct saved_faults *s, const char *text)
{
    s->words = alloc_resize(s->words, s->word_count + 2, sizeof *s->words);
    s->words[s->word_count++] = read_word(text);
    s->words[s->word_count] = NULL;
}

static bool add_outcome(struct saved_faults *s, char *line)
{
    char *rest = line, *number = strsep(&rest, "\t"), *class = strsep(&rest, "\t"), *status = strsep(&rest, "\t"),
         *name = strsep(&rest, "\t"), *trace = strsep(&rest, "\t"), *end;
    if (!trace || !s->list)
        return false;
    struct saved_outcome o = {.number = strtoul(number, &end, 10), .class = atoi(class), .status = atoi(status)};
    if (*end || end == number)
        return false;
    o.name = alloc_copy(name);
    o.trace = *trace ? alloc_copy(trace) : NULL;
    o.said = rest && *rest ? alloc_copy(rest) : NULL;
    s->outcomes = alloc_grow(s->outcomes, s->count, &s->room, sizeof *s->outcomes);
    s->outcomes[s->count++] = o;
    return true;
}

static bool take_line(struct saved_faults *s, char *line)
{
    if (!strncmp(line, "word ", 5))
        add_word(s, line + 5);
    else if (!strncmp(line, "way ", 4) && !s->way)
        s->way = alloc_copy(line + 4);
    else if (!strncmp(line, "list ", 5) && !s->list)
        s->list = alloc_copy(line + 5);
    else
        return add_outcome(s, line);
    return true;
}

const char *saved_faults_read(FILE *file, struct saved_faults *s, long *end)
{
    static const char no_campaign[] = "it is not what heddle inject --save writes";
    struct buffer line = {0};
    bool good = true, first = true;
    memset(s, 0, sizeof *s);
    for (*end = 0; good && buffer_read_line(&line, file); first = false) {
        if (line.text[line.length - 1] != '\n')
            break;
        *end += (long)line.length;
        line.text[line.length - 1] = 0;
        good = first ? !strcmp(line.text, SAVED_FIRST_LINE)
                     : strlen(line.text) + 1 == line.length && take_line(s, line.text);
    }
    buffer_free(&line);
    return good && (*end == 0 || (s->way && s->list)) ? NULL : no_campaign;
}

void saved_faults_free(struct saved_faults *s)
{
    for (size_t i = 0; i < s->word_count; i++)
        free(s->words[i]);
    for (size_t i = 0; i < s->count; i++)
        free(s->outcomes[i].name), free(s->outcomes[i].trace), free(s->outcomes[i].said);
    free(s->words);
    free(s->way);
    free(s->list);
    free(s->outcomes);
    memset(s, 0, sizeof *s);
}

const struct saved_outcome *saved_faults_find(const struct saved_faults *s, const char *which)
{
    char *end;
    unsigned long number = strtoul(which, &end, 10);
    bool by_number = end != which && !*end && number;
    for (size_t i = 0; i < s->count; i++)
        if (by_number ? s->outcomes[i].number == number - 1 : !strcmp(s->outcomes[i].name, which))
            return &s->outcomes[i];
    return NULL;
}
