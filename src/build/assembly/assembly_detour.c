#include "build/assembly/assembly_detour.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "build/assembly/assembly_effects.h"
#include "build/assembly/assembly_hooks.h"
#include "build/assembly/assembly_statement.h"
#include "build/assembly/assembly_taint.h"

enum { MOST_ITEMS = DETOUR_ITEMS, RAX = 1 << MACHINE_RAX, RDX = 1 << MACHINE_RDX };

static const char *instruction_at(const struct detour *d, size_t i)
{
    return effects_instruction(d->walk->listing.item[i].text);
}

static void called_at(const struct detour *d, size_t i, char *name, size_t room)
{
    const char *text = instruction_at(d, i);
    call_name(text + strcspn(text, " \t"), name, room);
}

size_t detour_next(const struct detour *d, size_t i)
{
    while (i < d->end &&
           (d->walk->listing.item[i].kind == ITEM_LABEL || d->walk->listing.item[i].kind == ITEM_DIRECTIVE))
        i++;
    return i;
}

static bool is_access_hook(const char *name)
{
    return call_kind_of(name) == CALL_HOOK && !strstr(name, "func_exit");
}

bool detour_gives_up(const struct detour *d, size_t i)
{
    char name[256];
    for (i = detour_next(d, i); i < d->end; i = detour_next(d, i + 1)) {
        const char *text = instruction_at(d, i);
        if (d->walk->listing.item[i].kind != ITEM_INSTRUCTION || listing_is_jump(text) || text_begins(text, "ret"))
            return false;
        if (text_begins(text, "ud2") || text_begins(text, "hlt"))
            return true;
        if (!text_begins(text, "call"))
            continue;
        called_at(d, i, name, sizeof name);
        if (taint_gives_up(name))
            return true;
        if (call_kind_of(name) == CALL_OTHER || is_access_hook(name))
            return false;
    }
    return false;
}

// ---- places ----

enum { PLACE_TEXT = 128 };

// What the instruction puts into the register, as text, if this is all it does: a copy or an address. False otherwise.
static bool reads_source(const char *code, const char *name, char *source)
{
    size_t length, last_length;
    const char *operands = code + strcspn(code, " \t");
    operands += strspn(operands, " \t");
    const char *first = machine_operand(operands, 0, &length), *last = machine_operand(operands, 1, &last_length);
    bool plain = text_begins(code, "movq") || text_begins(code, "leaq");
    if (!plain || !last || last_length != strlen(name) || strncmp(last, name, last_length) != 0 || *last != '%')
        return false;
    snprintf(source, PLACE_TEXT, "%.4s %.*s", code, (int)length, first);
    return length + 6 < PLACE_TEXT;
}

// How the address was made that a hook is told, by going back from its call.
static bool place_text(const struct detour *d, size_t hook, char *source)
{
    char name[PLACE_TEXT] = "%rdi";
    for (size_t i = hook; i-- > d->first;) {
        const char *code = instruction_at(d, i);
        if (d->walk->listing.item[i].kind == ITEM_DIRECTIVE)
            continue;
        if (d->walk->listing.item[i].kind != ITEM_INSTRUCTION || text_begins(code, "call") || listing_is_jump(code))
            return false;
        if (reads_source(code, name, source)) {
            if (strncmp(source, "movq %r", 7) != 0 || (effects_registers(source, strlen(source)) & EFFECTS_KEPT))
                return true;
            snprintf(name, sizeof name, "%s", source + 5); // from another scratch register
        } else if (strstr(code, name)) {
            return false;
        }
    }
    return false;
}

bool detour_same_place(const struct detour *d, size_t hook, size_t other, uint32_t *relied)
{
    char one[PLACE_TEXT], two[PLACE_TEXT];
    const struct walked_operand *a = &d->walk->operand[hook], *b = &d->walk->operand[other];
    if (a->size != b->size)
        return false;
    if (symbolic_same(a->told, b->told))
        return true;
    if (!place_text(d, hook, one) || !place_text(d, other, two) || strcmp(one, two) != 0)
        return false;
    uint32_t registers = effects_registers(one, strlen(one)) & 0xffff;
    bool memory = text_begins(one, "movq") && one[5] != '%' && one[5] != '$';
    *relied |= registers;
    return !memory && !(registers & ~(uint32_t)EFFECTS_KEPT & ~(1u << 4));
}

// Whether the hook tells of a place that the branch has read. Read under other locks, it would be another access to those who look for
// races.
static bool looks_at(const struct detour *d, size_t hook, uint32_t *relied)
{
    for (size_t i = d->first; i < d->end; i++)
        if (d->read[i] && d->fresh >> (d->read[i] - 1) & 1 && detour_same_place(d, i, hook, relied))
            return true;
    return false;
}

// ---- coming round ----

static bool passes_call(struct detour *d, size_t i)
{
    char name[256];
    called_at(d, i, name, sizeof name);
    bool signals = !strcmp(name, "pthread_cond_wait") || !strcmp(name, "pthread_cond_signal") ||
                   !strcmp(name, "pthread_cond_broadcast");
    bool reads = is_access_hook(name) && strstr(name, "read") && !strstr(name, "write") && !strstr(name, "range") &&
                 looks_at(d, i, &d->relied);
    d->waits |= signals;
    d->written |= 0xffffu & ~(uint32_t)EFFECTS_KEPT;
    d->vectors = true;
    return signals || reads;
}

// Whether the instruction may store to memory.
static bool may_store(const char *text)
{
    struct statement s;
    switch (statement_read(&s, "", text)) {
    case STATEMENT_SILENT:
        return text_begins(text, "push") || text_begins(text, "pop") || text_begins(text, "leave");
    case STATEMENT_ANNOUNCE:
        return s.site.kind != ASSEMBLY_LOAD && s.site.kind != ASSEMBLY_PLAIN_READ;
    default:
        return true;
    }
}

// Which registers an instruction writes that stores nothing.
static void note_written(struct detour *d, const char *text)
{
    static const char *const implied[] = {"mul", "div", "idiv", "imul", "cltd", "cqto", "cltq", "cwtl", NULL};
    const char *operands = text + strcspn(text, " \t");
    const char *last = effects_last_operand(operands + strspn(operands, " \t"));
    for (const char *const *name = implied; *name; name++)
        if (text_begins(text, *name))
            d->written |= RAX | RDX;
    if (*last != '%' || text_begins(text, "cmp") || text_begins(text, "test"))
        return;
    uint32_t bits = effects_registers(last, strlen(last));
    d->written |= bits & 0xffff;
    d->vectors |= bits & REGISTER_VECTORS;
}

struct way {
    size_t item[MOST_ITEMS]; // that were passed, or are to be
    size_t count, passed;
};

static bool add_to_way(struct way *way, size_t item)
{
    for (size_t i = 0; i < way->count; i++)
        if (way->item[i] == item)
            return true;
    if (way->count == MOST_ITEMS)
        return false;
    way->item[way->count++] = item;
    return true;
}

// Where control goes after the instruction. False if that is not known.
static bool go_on(const struct detour *d, struct way *way, size_t i)
{
    struct effects e;
    effects_read(&e, instruction_at(d, i));
    if (e.target[0]) {
        const struct listing_label *to = listing_find_label(&d->walk->listing, e.target);
        if (!to || to->item < d->first || to->item >= d->end || !add_to_way(way, detour_next(d, to->item)))
            return false;
    }
    return !e.falls || add_to_way(way, detour_next(d, i + 1));
}

static bool pass_item(struct detour *d, struct way *way, size_t i)
{
    const char *text = i < d->end ? instruction_at(d, i) : "ret";
    if (i >= d->end || d->walk->listing.item[i].kind != ITEM_INSTRUCTION || !*text)
        return false;
    bool leaves = text_begins(text, "ret") || text_begins(text, "ud2") || text_begins(text, "hlt") ||
                  strchr(text, '*') || text_begins(text, "xchg");
    if (leaves)
        return false;
    if (text_begins(text, "call")) {
        if (!passes_call(d, i))
            return false;
    } else if (!listing_is_jump(text)) {
        if (may_store(text))
            return false;
        note_written(d, text);
    }
    return go_on(d, way, i);
}

static bool follow_way(struct detour *d, struct way *way, size_t item, size_t join)
{
    join = detour_next(d, join);
    if (join >= d->end || !add_to_way(way, detour_next(d, item)))
        return false;
    for (; way->passed < way->count; way->passed++)
        if (way->item[way->passed] != join && !pass_item(d, way, way->item[way->passed]))
            return false;
    return true;
}

bool detour_comes_round(struct detour *d, size_t item, size_t join)
{
    struct way way = {.count = 0};
    d->written = d->relied = 0;
    d->vectors = d->waits = false;
    return follow_way(d, &way, item, join) && !(d->written & d->relied);
}

size_t detour_items(const struct detour *d, size_t item, size_t join, size_t items[DETOUR_ITEMS])
{
    struct detour copy = *d;
    struct way way = {.count = 0};
    if (!follow_way(&copy, &way, item, join))
        return 0;
    memcpy(items, way.item, way.count * sizeof *items);
    return way.count;
}
