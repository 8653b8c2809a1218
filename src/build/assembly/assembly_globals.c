#include "build/assembly/assembly_globals.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/strings.h"
#include "base/text.h"
#include "build/assembly/assembly_lines.h"
#include "model/globals.h"

enum { NAME = 256 };

struct globals {
    struct strings objects;    // names of which the compiler says that they are variables
    struct strings locals;     // and those that no other unit knows
    char section[NAME];        // in which the next line goes; empty if it is none that compilers choose
    bool open;                 // a variable has begun …
    bool data;                 // … and so have its data
    bool named;                // … which name something
    size_t numbers;            // of variables
    size_t *told, count, room; // numbers of those that the table has
};

struct globals *globals_new(void)
{
    return alloc_zeroed(1, sizeof(struct globals));
}

void globals_free(struct globals *g)
{
    if (!g)
        return;
    strings_free(&g->objects);
    strings_free(&g->locals);
    free(g->told);
    free(g);
}

// The last ones were named last.
static bool is_named(const struct strings *names, const char *name)
{
    for (size_t i = names->count; i-- > 0;)
        if (!strcmp(names->item[i], name))
            return true;
    return false;
}

// False if it is too long: such a variable stays as it is.
static bool put_name(const char *text, char *name)
{
    text = text_skip_blanks(text);
    int length = snprintf(name, NAME, "%.*s", (int)strcspn(text, ", \t:#"), text);
    return length < NAME;
}

// ---- sections ----

// Flags other than these say that the linker merges it, chooses one of several, or that each thread has its own.
static bool has_plain_flags(const char *text)
{
    const char *flags = strchr(text, '"');
    return !flags || (flags[1 + strspn(flags + 1, "aw")] == '"' && !strstr(text, "comdat"));
}

static bool is_common_section(const char *name)
{
    static const char *const names[] = {
        ".bss", ".data", ".rodata", ".data.rel", ".data.rel.local", ".data.rel.ro.local", ".data.rel.ro", NULL};
    return text_is_one_of(name, names);
}

// Whether the variable lies where compilers put variables: with -fdata-sections, in a section that ends with its name.
static bool is_usual_place(const struct globals *g, const char *variable)
{
    size_t length = strlen(g->section), own = strlen(variable);
    char rest[NAME];
    if (!g->section[0] || is_common_section(g->section))
        return g->section[0];
    if (length <= own + 1 || strcmp(g->section + length - own, variable) || g->section[length - own - 1] != '.')
        return false;
    snprintf(rest, sizeof rest, "%.*s", (int)(length - own - 1), g->section);
    return is_common_section(rest);
}

// Returns whether the line chooses a section.
static bool note_section(struct globals *g, const char *text)
{
    if (lines_is_directive(text, ".bss") || lines_is_directive(text, ".data"))
        put_name(text, g->section);
    else if (lines_is_directive(text, ".section") && has_plain_flags(text))
        put_name(text + strlen(".section"), g->section);
    else if (lines_is_directive(text, ".section") || lines_is_directive(text, ".text") ||
             lines_is_directive(text, ".pushsection") || lines_is_directive(text, ".popsection") ||
             lines_is_directive(text, ".previous") || lines_is_directive(text, ".subsection"))
        g->section[0] = 0;
    else
        return false;
    return true;
}

// ---- variables ----

static void tell_of(struct globals *g, size_t number)
{
    g->told = alloc_grow(g->told, g->count, &g->room, sizeof *g->told);
    g->told[g->count++] = number;
}

// What is in the table stays in the program. Of a variable with a section of its own (-fdata-sections) the linker may be
// told to leave out what nobody needs; then what such a variable names need not even exist.
static void close_variable(struct globals *g, struct buffer *text)
{
    if (!g->open)
        return;
    buffer_add(text, ".Lheddle_global_end%zu: .zero %d; ", g->numbers, GLOBALS_ROOM);
    if (!g->named || is_common_section(g->section))
        tell_of(g, g->numbers);
    g->numbers++;
    g->open = false;
}

static void open_variable(struct globals *g, const char *name, struct buffer *text)
{
    if (!is_usual_place(g, name) || !is_named(&g->objects, name))
        return;
    buffer_add(text, ".Lheddle_global%zu: ", g->numbers);
    g->open = true;
    g->data = g->named = false;
}

// A directive that is no part of a variable's data. Those that are not known here may be: room in the middle would move the rest.
static bool begins_other(const char *text)
{
    static const char *const names[] = {
        ".globl",    ".global",   ".weak", ".local",  ".comm",      ".lcomm",         ".hidden",      ".protected",
        ".type",     ".internal", ".set",  ".equ",    ".align",     ".p2align",       ".balign",      ".section",
        ".text",     ".data",     ".bss",  ".ident",  ".addrsig",   ".addrsig_sym",   ".pushsection", ".popsection",
        ".previous", ".file",     ".loc",  ".symver", ".largecomm", ".cfi_startproc", ".subsection",  NULL};
    for (const char *const *name = names; *name; name++)
        if (lines_is_directive(text, *name))
            return true;
    return false;
}

// Whether the data are more than numbers and text.
static bool names_symbol(const char *text)
{
    const char *at = text + strcspn(text, " \t");
    if (strchr(at, '"'))
        return false;
    for (; *at && *at != '#'; at++) {
        if (isalpha((unsigned char)*at) || *at == '_' || *at == '.')
            return true;
        while (isalnum((unsigned char)*at) && isalnum((unsigned char)at[1])) // to the end of a number
            at++;
    }
    return false;
}

// `.comm NAME,SIZE,ALIGNMENT` of a variable that no other unit knows.
static bool place_local(struct globals *g, const char *text, struct buffer *out)
{
    char name[NAME];
    unsigned long long size, alignment;
    const char *numbers = strchr(text, ',');
    if (!put_name(text + strlen(".comm"), name) || !is_named(&g->locals, name) || !numbers ||
        sscanf(numbers, ",%llu,%llu", &size, &alignment) != 2)
        return false;
    buffer_add(
        out,
        "\t.pushsection .bss; .balign %llu; .type %s, @object; .size %s, %llu; .Lheddle_global%zu: %s: .zero %llu; "
        ".Lheddle_global_end%zu: .zero %d; .popsection\n",
        alignment, name, name, size, g->numbers, name, size, g->numbers, GLOBALS_ROOM);
    tell_of(g, g->numbers++);
    return true;
}

static void note_name(struct globals *g, const char *text)
{
    char name[NAME];
    bool type = lines_is_directive(text, ".type") && strstr(text, "@object");
    if (!type && !lines_is_directive(text, ".local"))
        return;
    if (put_name(text + strlen(type ? ".type" : ".local"), name))
        strings_add(type ? &g->objects : &g->locals, name);
}

bool globals_line(struct globals *g, const char *line, struct buffer *text)
{
    char name[NAME];
    const char *start = text_skip_blanks(line);
    size_t label = lines_label(start);
    if (lines_opens_assembly(line)) {
        close_variable(g, text);
        g->section[0] = 0; // it may choose another one
        return false;
    }
    if (label && g->open && !g->data) // another name of the same variable
        return false;
    if (label) {
        close_variable(g, text);
        if (put_name(start, name))
            open_variable(g, name, text);
        return false;
    }
    bool other = begins_other(start);
    if (!*start || *start == '#' || lines_is_directive(start, ".size"))
        return false;
    if (g->open && !other) {
        g->data = true;
        g->named |= names_symbol(start);
        return false;
    }
    close_variable(g, text);
    note_name(g, start);
    return !note_section(g, start) && lines_is_directive(start, ".comm") && place_local(g, start, text);
}

void globals_end(struct globals *g, struct buffer *text)
{
    close_variable(g, text);
}

size_t globals_count(const struct globals *g)
{
    return g ? g->count : 0;
}

void globals_write(const struct globals *g, struct buffer *text)
{
    buffer_add(text, "\t.balign 8\n.Lheddle_globals:\n\t.quad %zu\n", g->count);
    for (size_t i = 0; i < g->count; i++)
        buffer_add(text, "\t.quad .Lheddle_global%zu-.Lheddle_globals, .Lheddle_global_end%zu-.Lheddle_globals\n",
                   g->told[i], g->told[i]);
}
