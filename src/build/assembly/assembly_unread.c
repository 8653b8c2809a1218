#include "build/assembly/assembly_unread.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/text.h"
#include "build/assembly/assembly_effects.h"
#include "build/assembly/assembly_lines.h"
#include "build/assembly/assembly_upkeep.h"
#include "model/unread.h"

enum { LARGEST = 1 << 20, NAME = 256 };
enum { BYTE_READ = 1, BYTE_WRITTEN = 2 };

struct variable {
    char *name;
    uint64_t size;
    bool local, object, placed; // known to no other unit; data; where compilers put variables
    bool open;                  // others know it, or it may be accessed by its address
    uint8_t *byte;
};

// Bytes whose old value may be part of the new one.
struct group {
    size_t variable;
    uint64_t offset, size;
};

struct unread {
    struct listing listing;
    struct variable *variable; // by name, once all is read
    size_t variables, variable_room;
    struct group *group;
    size_t groups, group_room;
    bool in_assembly, in_debug, in_data;
    bool hopeless; // something stands in the file that is not followed at all
};

// ---- reading the file ----

static struct variable *add_variable(struct unread *u, const char *name, size_t length)
{
    u->variable = alloc_grow(u->variable, u->variables, &u->variable_room, sizeof *u->variable);
    struct variable *v = &u->variable[u->variables++];
    *v = (struct variable){.name = alloc_copy_part(name, length)};
    return v;
}

static size_t name_length(const char *text)
{
    return strcspn(text, ", \t:#@");
}

static const char *argument(const char *text)
{
    return text_skip_blanks(text + strcspn(text, " \t"));
}

// What the compiler says of names, as a variable each time; those of one name become one later.
static void note_declaration(struct unread *u, const char *text)
{
    const char *name = argument(text), *comma = strchr(name, ',');
    size_t length = name_length(name);
    if (lines_is_directive(text, ".local")) {
        add_variable(u, name, length)->local = true;
    } else if (lines_is_directive(text, ".comm") && comma) {
        struct variable *v = add_variable(u, name, length);
        v->size = strtoull(comma + 1, NULL, 10);
        v->object = v->placed = true;
    } else if (lines_is_directive(text, ".type") && strstr(text, "@object")) {
        add_variable(u, name, length)->object = true;
    } else if (lines_is_directive(text, ".size") && comma) {
        add_variable(u, name, length)->size = strtoull(comma + 1, NULL, 10);
    } else if (lines_is_directive(text, ".globl") || lines_is_directive(text, ".global") ||
               lines_is_directive(text, ".weak")) {
        add_variable(u, name, length)->open = true;
    }
}

// Sections that compilers choose for variables. One that the source names may be gone through by the names of its ends.
static bool holds_variables(const char *section)
{
    size_t length = text_begins(section, ".data") ? strlen(".data") : text_begins(section, ".bss") ? strlen(".bss") : 0;
    return length && strchr("., \t", section[length]) && !text_begins(section, ".data.rel.ro");
}

static void note_section(struct unread *u, const char *text)
{
    if (lines_is_directive(text, ".section")) {
        const char *name = argument(text);
        u->in_debug = text_begins(name, ".debug");
        u->in_data = holds_variables(name);
        u->hopeless |= text_begins(name, ".gcc_except_table"); // control goes where no jump is
    } else if (lines_is_directive(text, ".data") || lines_is_directive(text, ".bss")) {
        u->in_debug = false;
        u->in_data = true;
    } else if (lines_is_directive(text, ".text") || lines_is_directive(text, ".pushsection") ||
               lines_is_directive(text, ".popsection") || lines_is_directive(text, ".previous") ||
               lines_is_directive(text, ".subsection")) {
        u->in_debug = u->in_data = false;
    }
}

// What debuggers are told of a variable. Names that are given to it count wherever they stand.
static bool is_for_debuggers(const struct unread *u, const char *text)
{
    static const char *const data[] = {".byte",  ".short", ".value", ".2byte",  ".long",    ".4byte",   ".quad",
                                       ".8byte", ".ascii", ".asciz", ".string", ".uleb128", ".sleb128", NULL};
    for (const char *const *name = data; u->in_debug && *name; name++)
        if (lines_is_directive(text, *name))
            return true;
    return false;
}

static void take_directive(struct unread *u, const char *text, size_t length)
{
    note_section(u, text);
    note_declaration(u, text);
    u->hopeless |= text_begins(text, ".intel_syntax") || text_begins(text, ".macro") || text_begins(text, ".include");
    if (!is_for_debuggers(u, text))
        listing_add(&u->listing, ITEM_DIRECTIVE, text, length);
}

static void take_label(struct unread *u, const char *name, size_t length)
{
    struct variable *v;
    listing_add(&u->listing, u->in_data ? ITEM_DIRECTIVE : ITEM_LABEL, name, length);
    if (!u->in_data || text_begins(name, ".L"))
        return;
    v = add_variable(u, name, length);
    v->local = v->placed = true; // unless it is said to be known to others
}

// A name that is declared as a function's; its label is the function's beginning.
static bool is_function(const struct unread *u, const char *name, size_t length)
{
    for (size_t i = u->listing.items; i-- > 0 && u->listing.items - i < 16;) {
        const struct listing_item *item = &u->listing.item[i];
        if (item->kind == ITEM_DIRECTIVE && lines_is_directive(item->text, ".type") && strstr(item->text, "@function"))
            return !strncmp(argument(item->text), name, length) && name_length(argument(item->text)) == length;
    }
    return false;
}

static void take_line(void *context, const char *line, size_t size)
{
    struct unread *u = context;
    const char *text = text_skip_blanks(line);
    size_t label;
    (void)size;
    if (lines_opens_assembly(line) || lines_closes_assembly(line)) {
        u->in_assembly = lines_opens_assembly(line);
        return;
    }
    while (!u->in_assembly && (label = lines_label(text))) {
        if (is_function(u, text, label - 1))
            listing_add(&u->listing, ITEM_FUNCTION, text, label - 1);
        else if (!u->in_debug)
            take_label(u, text, label - 1);
        text = text_skip_blanks(text + label);
    }
    size_t length = lines_instruction(text);
    if (!length)
        return;
    if (u->in_assembly)
        listing_add(&u->listing, ITEM_ASSEMBLY, text, strlen(text));
    else if (*text == '.')
        take_directive(u, text, strlen(text));
    else
        listing_add(&u->listing, strchr(text, ';') ? ITEM_ASSEMBLY : ITEM_INSTRUCTION, text, length);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct variable *)a)->name, ((const struct variable *)b)->name);
}

// All that is said of one name.
static void gather(struct unread *u)
{
    size_t count = 0;
    if (u->variables)
        qsort(u->variable, u->variables, sizeof *u->variable, by_name);
    for (size_t i = 0; i < u->variables; i++) {
        struct variable *from = &u->variable[i], *to = count ? &u->variable[count - 1] : NULL;
        if (!to || strcmp(to->name, from->name) != 0) {
            u->variable[count++] = *from;
            continue;
        }
        to->size = from->size > to->size ? from->size : to->size;
        to->local |= from->local;
        to->object |= from->object;
        to->placed |= from->placed;
        to->open |= from->open;
        free(from->name);
    }
    u->variables = count;
    for (struct variable *v = u->variable; v < u->variable + count; v++) {
        v->open |= !v->local || !v->object || !v->placed || !v->size || v->size > LARGEST;
        v->byte = v->open ? NULL : alloc_zeroed(v->size, 1);
    }
}

// ---- what is done with variables ----

static struct variable *find_variable(const struct unread *u, const char *name, size_t length)
{
    char key_name[NAME];
    struct variable key = {.name = key_name};
    if (length >= sizeof key_name || !u->variables)
        return NULL;
    memcpy(key_name, name, length);
    key_name[length] = 0;
    return bsearch(&key, u->variable, u->variables, sizeof *u->variable, by_name);
}

static bool is_name_character(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '$';
}

// Opens every variable that the text names, but for the one at `known`. Whatever stands between other characters may be a name.
static void open_all_named(struct unread *u, const char *text, const char *known)
{
    while (*text) {
        size_t length = 0;
        while (is_name_character(text[length]))
            length++;
        struct variable *v = length && text != known ? find_variable(u, text, length) : NULL;
        if (v)
            v->open = true;
        text += length ? length : 1;
    }
}

static void mark(struct variable *v, uint64_t offset, uint64_t size, uint8_t as)
{
    for (uint64_t i = offset; i < offset + size; i++)
        v->byte[i] |= as;
}

static void note_group(struct unread *u, const struct variable *v, uint64_t offset, uint64_t size)
{
    u->group = alloc_grow(u->group, u->groups, &u->group_room, sizeof *u->group);
    u->group[u->groups++] = (struct group){(size_t)(v - u->variable), offset, size};
}

static void note_access(struct unread *u, struct upkeep *upkeep, size_t item, struct variable *v,
                        const struct variable_access *a)
{
    const uint64_t at = (uint64_t)a->offset;
    bool takes = a->kind == ACCESS_LOAD || a->kind == ACCESS_UPDATE;
    bool prefixed = effects_instruction(u->listing.item[item].text) != u->listing.item[item].text;
    if (a->kind == ACCESS_OTHER || a->offset < 0 || at + a->size > v->size || prefixed) {
        v->open = true;
        return;
    }
    if (a->kind == ACCESS_ADDRESS) {
        v->open |= !upkeep_ends_there(upkeep, item, a);
        mark(v, 0, v->size, BYTE_WRITTEN);
        note_group(u, v, 0, v->size);
        return;
    }
    if (a->kind == ACCESS_STORE || a->kind == ACCESS_UPDATE)
        mark(v, at, a->size, BYTE_WRITTEN);
    if (a->kind == ACCESS_READ || (takes && !upkeep_ends_there(upkeep, item, a)))
        mark(v, at, a->size, BYTE_READ);
    else if (takes)
        note_group(u, v, at, a->size);
}

static void look_at_instruction(struct unread *u, struct upkeep *upkeep, size_t item)
{
    const char *text = effects_instruction(u->listing.item[item].text);
    struct variable_access a;
    struct variable *v = upkeep_read(text, &a) ? find_variable(u, a.name, a.length) : NULL;
    open_all_named(u, text, v ? a.name : NULL);
    if (v && !v->open)
        note_access(u, upkeep, item, v, &a);
}

// Directives that only describe a variable, or hold nothing but characters.
static bool refers_to_nothing(const char *text)
{
    static const char *const names[] = {".local", ".comm",  ".type", ".size", ".string", ".ascii",
                                        ".asciz", ".ident", ".file", ".loc",  ".globl",  ".section"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (lines_is_directive(text, names[i]))
            return true;
    return text_begins(text, ".cfi_");
}

static void look_at_all(struct unread *u)
{
    struct upkeep *upkeep = upkeep_new(&u->listing);
    for (size_t i = 0; i < u->listing.items; i++) {
        const struct listing_item *item = &u->listing.item[i];
        if (item->kind == ITEM_INSTRUCTION)
            look_at_instruction(u, upkeep, i);
        else if (item->kind == ITEM_ASSEMBLY ||
                 (item->kind == ITEM_DIRECTIVE && *item->text == '.' && !refers_to_nothing(item->text)))
            open_all_named(u, item->text, NULL);
    }
    upkeep_free(upkeep);
}

// What is read in part, or together with something that is read, is read.
static void spread_reads(struct unread *u)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (const struct group *g = u->group; g < u->group + u->groups; g++) {
            struct variable *v = &u->variable[g->variable];
            uint64_t read = 0;
            for (uint64_t i = g->offset; i < g->offset + g->size; i++)
                read += v->byte[i] & BYTE_READ;
            if (!read || read == g->size)
                continue;
            mark(v, g->offset, g->size, BYTE_READ);
            changed = true;
        }
    }
}

// ---- the table ----

static size_t write_variable(const struct variable *v, struct buffer *text)
{
    size_t count = 0;
    for (uint64_t i = 0, end; i < v->size; i = end + 1) {
        for (end = i; end < v->size && v->byte[end] == BYTE_WRITTEN; end++)
            ;
        if (end == i)
            continue;
        buffer_add(text, "\t.long %s+%llu-., %llu\n", v->name, (unsigned long long)i, (unsigned long long)(end - i));
        count++;
    }
    return count;
}

static size_t write_table(const struct unread *u, struct buffer *text)
{
    size_t count = 0;
    buffer_add(text, "\t.section " UNREAD_SECTION ",\"a\"\n\t.balign 4\n");
    for (const struct variable *v = u->variable; v < u->variable + u->variables; v++)
        count += v->open ? 0 : write_variable(v, text);
    buffer_add(text, "\t.section .rodata." UNREAD_TABLE ",\"a\"\n\t.balign 4\n"
                     "\t.weak " UNREAD_TABLE "\n\t.type " UNREAD_TABLE ", @object\n\t.size " UNREAD_TABLE ", 8\n"
                     "\t.hidden __start_" UNREAD_SECTION "\n\t.hidden __stop_" UNREAD_SECTION "\n" UNREAD_TABLE ":\n"
                     "\t.long __start_" UNREAD_SECTION "-., __stop_" UNREAD_SECTION "-.\n");
    return count;
}

char *unread_append(const char *text, size_t size, size_t *new_size)
{
    struct unread u = {0};
    struct buffer with_table = {0};
    char *copy = lines_copy(text, size);
    lines_each(copy, take_line, &u);
    free(copy);
    listing_link(&u.listing);
    gather(&u);
    buffer_append(&with_table, text, size);
    size_t count = 0;
    if (!u.hopeless) {
        look_at_all(&u);
        spread_reads(&u);
        count = write_table(&u, &with_table);
    }
    for (size_t i = 0; i < u.variables; i++) {
        free(u.variable[i].name);
        free(u.variable[i].byte);
    }
    free(u.variable);
    free(u.group);
    listing_free(&u.listing);
    *new_size = with_table.length;
    if (count)
        return with_table.text;
    buffer_free(&with_table);
    return NULL;
}
