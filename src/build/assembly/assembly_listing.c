#include "build/assembly/assembly_listing.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "build/assembly/assembly_effects.h"

void listing_free(struct listing *l)
{
    for (size_t i = 0; i < l->items; i++)
        free(l->item[i].text);
    for (size_t i = 0; i < l->labels; i++)
        free(l->label[i].state);
    free(l->item);
    free(l->instruction);
    free(l->label);
}

void listing_add(struct listing *l, enum listing_kind kind, const char *text, size_t length)
{
    if (kind == ITEM_INSTRUCTION || kind == ITEM_ASSEMBLY) {
        l->instruction = alloc_grow(l->instruction, l->instructions, &l->instruction_room, sizeof *l->instruction);
        l->instruction[l->instructions++] = l->items;
        kind = text ? kind : ITEM_ASSEMBLY;
    }
    l->item = alloc_grow(l->item, l->items, &l->item_room, sizeof *l->item);
    l->item[l->items] =
        (struct listing_item){.kind = kind, .text = alloc_copy_part(text ? text : "", text ? length : 0)};
    l->items++;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct listing_label *)a)->name, ((const struct listing_label *)b)->name);
}

struct listing_label *listing_find_label(const struct listing *l, const char *name)
{
    struct listing_label key = {.name = name};
    return l->labels ? bsearch(&key, l->label, l->labels, sizeof *l->label, by_name) : NULL;
}

static bool is_name_character(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '$';
}

// All labels that a text names: by an instruction other than a jump, or in data.
static void note_addresses(struct listing *l, const char *text, bool exceptions)
{
    char name[512];
    while (*text) {
        size_t length = 0;
        while (is_name_character(text[length]))
            length++;
        struct listing_label *label = NULL;
        if (length && length < sizeof name && !isdigit((unsigned char)*text)) {
            snprintf(name, sizeof name, "%.*s", (int)length, text);
            label = listing_find_label(l, name);
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
    return text_begins(name, ".rodata") || text_begins(name, ".data.rel.ro") || text_begins(name, ".eh_frame") ||
           text_begins(name, ".gcc_except_table") || text_begins(name, ".lrodata");
}

static const char *section_of(const char *directive, const char *before)
{
    if (text_begins(directive, ".section"))
        return directive + strlen(".section") + strspn(directive + strlen(".section"), " \t\"");
    if (text_begins(directive, ".text") || text_begins(directive, ".data") || text_begins(directive, ".bss"))
        return directive;
    return before;
}

// gcc's names for where a range of calls that may throw begins and ends, and what is only for debuggers, lead nowhere.
static bool refers_to_code(const char *section, const char *directive)
{
    static const char *const data[] = {".long",  ".quad", ".uleb128", ".value", ".word",
                                       ".short", ".byte", ".int",     NULL};
    if (text_begins(section, ".debug") || text_begins(section, ".eh_frame") || strstr(directive, ".LEH"))
        return false;
    for (const char *const *d = data; *d; d++)
        if (text_begins(directive, *d))
            return true;
    return false;
}

bool listing_is_jump(const char *name)
{
    return name[0] == 'j' || text_begins(name, "loop");
}

bool listing_tells_of_bad_index(const char *text)
{
    return text_begins(text, "call") && strstr(text, "__ubsan_handle_out_of_bounds");
}

static void note_reference(struct listing *l, const struct listing_item *item)
{
    struct effects e;
    const char *text = effects_instruction(item->text);
    effects_read(&e, text);
    if (item->kind == ITEM_INSTRUCTION && listing_is_jump(text) && e.target[0]) {
        struct listing_label *to = listing_find_label(l, e.target);
        if (to)
            to->jumps++;
    } else if (!text_begins(text, "call")) {
        note_addresses(l, text, item->kind == ITEM_ASSEMBLY);
    }
}

static void collect_labels(struct listing *l)
{
    const char *section = ".text";
    for (size_t i = 0; i < l->items; i++) {
        if (l->item[i].kind == ITEM_DIRECTIVE)
            section = section_of(l->item[i].text, section);
        if (l->item[i].kind != ITEM_LABEL)
            continue;
        l->label = alloc_grow(l->label, l->labels, &l->label_room, sizeof *l->label);
        l->label[l->labels++] =
            (struct listing_label){.name = l->item[i].text, .item = i, .constant = is_constant_section(section)};
    }
    if (l->labels)
        qsort(l->label, l->labels, sizeof *l->label, by_name);
}

static void count_references(struct listing *l)
{
    const char *section = ".text";
    for (size_t i = 0; i < l->items; i++) {
        const struct listing_item *item = &l->item[i];
        if (item->kind == ITEM_DIRECTIVE) {
            section = section_of(item->text, section);
            if (refers_to_code(section, item->text))
                note_addresses(l, item->text, text_begins(section, ".gcc_except_table"));
        } else if (item->kind == ITEM_INSTRUCTION || item->kind == ITEM_ASSEMBLY) {
            note_reference(l, item);
        }
    }
}

static bool is_led_to(struct listing *l, const char *name)
{
    const struct listing_label *label = listing_find_label(l, name);
    return label && (label->jumps || label->addressed || label->anywhere);
}

static void note_return(struct listing *l, const char *text)
{
    struct effects e;
    effects_read(&e, text);
    struct listing_label *to = listing_is_jump(text) && e.target[0] ? listing_find_label(l, e.target) : NULL;
    if (to)
        to->returns++;
}

// Jumps behind a call that tells of a bad index. In between registers may be loaded again.
static void count_returns(struct listing *l)
{
    bool told = false;
    for (size_t i = 0; i < l->items; i++) {
        const struct listing_item *item = &l->item[i];
        const char *text = item->kind == ITEM_INSTRUCTION ? effects_instruction(item->text) : "";
        if (item->kind == ITEM_FUNCTION || item->kind == ITEM_ASSEMBLY)
            told = false;
        else if (item->kind == ITEM_LABEL)
            told = told && !is_led_to(l, item->text);
        else if (told && *text)
            note_return(l, text);
        told |= listing_tells_of_bad_index(text);
    }
}

void listing_link(struct listing *l)
{
    collect_labels(l);
    count_references(l);
    count_returns(l);
}
