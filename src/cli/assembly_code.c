#include "cli/assembly_code.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/assembly_effects.h"

static _Noreturn void no_memory(void)
{
    fputs("heddle: out of memory.\n", stderr);
    exit(2);
}

static void *grown(void *array, size_t count, size_t *room, size_t size)
{
    if (count < *room)
        return array;
    *room = 2 * *room + 256;
    if (!(array = realloc(array, *room * size)))
        no_memory();
    return array;
}

static bool begins(const char *text, const char *start)
{
    return !strncmp(text, start, strlen(start));
}

void code_free(struct code *c)
{
    for (size_t i = 0; i < c->items; i++)
        free(c->item[i].text);
    for (size_t i = 0; i < c->labels; i++)
        free(c->label[i].state);
    free(c->item);
    free(c->instruction);
    free(c->label);
}

void code_add(struct code *c, enum item_kind kind, const char *text, size_t length)
{
    if (kind == ITEM_INSTRUCTION || kind == ITEM_ASSEMBLY) {
        c->instruction = grown(c->instruction, c->instructions, &c->instruction_room, sizeof *c->instruction);
        c->instruction[c->instructions++] = c->items;
        kind = text ? kind : ITEM_ASSEMBLY;
    }
    c->item = grown(c->item, c->items, &c->item_room, sizeof *c->item);
    c->item[c->items] = (struct item){.kind = kind, .text = strndup(text ? text : "", text ? length : 0)};
    if (!c->item[c->items++].text)
        no_memory();
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct label *)a)->name, ((const struct label *)b)->name);
}

struct label *code_find_label(const struct code *c, const char *name)
{
    struct label key = {.name = name};
    return c->labels ? bsearch(&key, c->label, c->labels, sizeof *c->label, by_name) : NULL;
}

static bool is_name_character(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '$';
}

// All labels that a text names: by an instruction other than a jump, or in data.
static void note_addresses(struct code *c, const char *text, bool exceptions)
{
    char name[512];
    while (*text) {
        size_t length = 0;
        while (is_name_character(text[length]))
            length++;
        struct label *label = NULL;
        if (length && length < sizeof name && !isdigit((unsigned char)*text)) {
            snprintf(name, sizeof name, "%.*s", (int)length, text);
            label = code_find_label(c, name);
        }
        if (label && exceptions)
            label->anywhere = true;
        else if (label)
            label->addressed = true;
        text += length ? length : 1;
    }
}

// Sections that hold what never changes once the program runs.
static bool is_constant_section(const char *name)
{
    return begins(name, ".rodata") || begins(name, ".data.rel.ro") || begins(name, ".eh_frame") ||
           begins(name, ".gcc_except_table") || begins(name, ".lrodata");
}

static const char *section_of(const char *directive, const char *before)
{
    if (begins(directive, ".section"))
        return directive + strlen(".section") + strspn(directive + strlen(".section"), " \t\"");
    if (begins(directive, ".text") || begins(directive, ".data") || begins(directive, ".bss"))
        return directive;
    return before;
}

// gcc's names for where a range of calls that may throw begins and ends, and what is only for debuggers, lead nowhere.
static bool refers_to_code(const char *section, const char *directive)
{
    static const char *const data[] = {".long",  ".quad", ".uleb128", ".value", ".word",
                                       ".short", ".byte", ".int",     NULL};
    if (begins(section, ".debug") || begins(section, ".eh_frame") || strstr(directive, ".LEH"))
        return false;
    for (const char *const *d = data; *d; d++)
        if (begins(directive, *d))
            return true;
    return false;
}

bool code_is_jump(const char *name)
{
    return name[0] == 'j' || begins(name, "loop");
}

static void note_reference(struct code *c, const struct item *item)
{
    struct effects e;
    const char *text = effects_instruction(item->text);
    effects_read(&e, text);
    if (item->kind == ITEM_INSTRUCTION && code_is_jump(text) && e.target[0]) {
        struct label *to = code_find_label(c, e.target);
        if (to)
            to->jumps++;
    } else if (!begins(text, "call")) {
        note_addresses(c, text, item->kind == ITEM_ASSEMBLY);
    }
}

static void collect_labels(struct code *c)
{
    const char *section = ".text";
    for (size_t i = 0; i < c->items; i++) {
        if (c->item[i].kind == ITEM_DIRECTIVE)
            section = section_of(c->item[i].text, section);
        if (c->item[i].kind != ITEM_LABEL)
            continue;
        c->label = grown(c->label, c->labels, &c->label_room, sizeof *c->label);
        c->label[c->labels++] =
            (struct label){.name = c->item[i].text, .item = i, .constant = is_constant_section(section)};
    }
    if (c->labels)
        qsort(c->label, c->labels, sizeof *c->label, by_name);
}

static void count_references(struct code *c)
{
    const char *section = ".text";
    for (size_t i = 0; i < c->items; i++) {
        const struct item *item = &c->item[i];
        if (item->kind == ITEM_DIRECTIVE) {
            section = section_of(item->text, section);
            if (refers_to_code(section, item->text))
                note_addresses(c, item->text, begins(section, ".gcc_except_table"));
        } else if (item->kind == ITEM_INSTRUCTION || item->kind == ITEM_ASSEMBLY) {
            note_reference(c, item);
        }
    }
}

void code_link(struct code *c)
{
    collect_labels(c);
    count_references(c);
}
