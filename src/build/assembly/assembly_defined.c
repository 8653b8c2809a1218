#include "build/assembly/assembly_defined.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "build/assembly/assembly_hooks.h"
#include "build/assembly/assembly_instruction.h"
#include "model/defined.h"

enum { MOST_RANGES = 40, LARGEST_FRAME = 16384 };

struct defined_entry {
    size_t item; // of the hook's call
    uint32_t size, first, ranges;
    int32_t header, guard;
};

struct defined {
    const struct unseen_walk *walk;
    bool *decides;      // of each item that is a hook
    uint32_t *entry_of; // of each item that is the call of an entry's hook: its number, plus 1
    struct defined_entry *entry;
    size_t entries, entry_room;
    struct defined_range *range;
    size_t ranges, range_room;
    size_t reads;
};

static const struct listing_item *item_at(const struct defined *d, size_t i)
{
    return &d->walk->listing.item[i];
}

static const char *instruction_at(const struct defined *d, size_t i)
{
    return effects_instruction(item_at(d, i)->text);
}

// Control comes to the item only from the one before it, and goes on behind it. Hooks are passed; other calls are not.
static bool is_passed(const struct defined *d, size_t i)
{
    const struct listing_item *item = item_at(d, i);
    char name[256];
    if (item->kind == ITEM_LABEL) {
        const struct listing_label *label = listing_find_label(&d->walk->listing, item->text);
        return label && !listing_is_target(label);
    }
    if (item->kind != ITEM_INSTRUCTION)
        return item->kind == ITEM_DIRECTIVE;
    const char *text = instruction_at(d, i);
    if (text_begins(text, "call")) {
        call_name(text + strcspn(text, " \t"), name, sizeof name);
        return call_kind_of(name) == CALL_HOOK && !strstr(name, "func_exit");
    }
    return !listing_is_jump(text) && !text_begins(text, "ret") && !text_begins(text, "ud2");
}

// ---- reads that decide a branch ----

// A hook of one read: how many bytes; 0 for all others.
static uint32_t read_size(const struct defined *d, size_t i)
{
    char name[256];
    const char *text = item_at(d, i)->kind == ITEM_INSTRUCTION ? instruction_at(d, i) : "";
    if (!text_begins(text, "call"))
        return 0;
    call_name(text + strcspn(text, " \t"), name, sizeof name);
    const char *number = text_begins(name, "__tsan_read")             ? name + strlen("__tsan_read")
                         : text_begins(name, "__tsan_unaligned_read") ? name + strlen("__tsan_unaligned_read")
                                                                      : "";
    return number[0] && !number[1] ? (uint32_t)strtoul(number, NULL, 10) : 0;
}

static bool is_branch(const char *text)
{
    return text[0] == 'j' && !text_begins(text, "jmp") && !text_begins(text, "jrcxz") && !text_begins(text, "jecxz");
}

// Extends the register in itself: the value stays what it was.
static bool extends_itself(const struct instruction *n, const char *text, int reg)
{
    return (text_begins(text, "movz") || text_begins(text, "movs")) && !n->memory && n->written == reg &&
           n->values == 1u << reg;
}

// Whether the flags that the comparison left decide a branch before others replace them.
static bool flags_branch(const struct defined *d, size_t i, size_t end)
{
    for (; i < end && is_passed(d, i); i++) {
        struct effects e;
        if (item_at(d, i)->kind != ITEM_INSTRUCTION)
            continue;
        effects_read(&e, instruction_at(d, i));
        if (e.call || !e.known || e.kills & LIVE_FLAGS || e.uses & LIVE_FLAGS)
            return false;
    }
    return i < end && item_at(d, i)->kind == ITEM_INSTRUCTION && is_branch(instruction_at(d, i));
}

static bool is_call(const char *text)
{
    return text_begins(text, "call");
}

// Whether the value in the register is compared, and the flags decide a branch.
static bool register_branches(const struct defined *d, size_t i, size_t end, int reg)
{
    for (; i < end && is_passed(d, i); i++) {
        struct instruction n;
        if (item_at(d, i)->kind != ITEM_INSTRUCTION)
            continue;
        const char *text = instruction_at(d, i);
        instruction_read(&n, text);
        if (is_call(text) || !n.effects.known)
            return false;
        if (n.form == FORM_LOOK && n.values >> reg & 1)
            return flags_branch(d, i + 1, end);
        if (n.written == reg && !extends_itself(&n, text, reg))
            return false;
    }
    return false;
}

static bool only_loads(const struct instruction *n, const char *text)
{
    return text_begins(text, "mov") && n->memory && n->written != NO_REGISTER;
}

static bool comes_straight(const struct defined *d, size_t from, size_t to)
{
    for (size_t i = from + 1; i < to; i++)
        if (!is_passed(d, i))
            return false;
    return true;
}

static void look_at_load(struct defined *d, size_t i, size_t end)
{
    const struct walked_operand *o = &d->walk->operand[i];
    struct instruction n;
    if (item_at(d, i)->kind != ITEM_INSTRUCTION || o->kind != OPERAND_HOOKED || o->hooks != 1)
        return;
    size_t hook = o->hook[0];
    if (hook >= i || read_size(d, hook) != o->size || d->decides[hook] || !comes_straight(d, hook, i))
        return;
    const char *text = instruction_at(d, i);
    instruction_read(&n, text);
    bool decides = n.form == FORM_LOOK    ? n.memory && flags_branch(d, i + 1, end)
                   : only_loads(&n, text) ? register_branches(d, i + 1, end, n.written)
                                          : false;
    d->decides[hook] = decides;
    d->reads += decides;
}

// ---- what is set at the entry ----

// The stack and frame pointer from the canonical frame address while one goes through the beginning of a function.
struct prologue {
    int64_t sp, bp;
    bool has_bp;
    struct defined_range set[MOST_RANGES]; // still from the canonical frame address, downwards
    size_t ranges;
    int holds_guard; // the register that has just been given the stack protector's guard, or NO_REGISTER
    int64_t guard;   // where that was put; 0: nowhere yet
};

static bool add_set(struct prologue *p, int64_t from, int64_t size)
{
    if (from < -LARGEST_FRAME || from + size > 0)
        return from >= 0; // what lies above belongs to the caller
    if (p->ranges == MOST_RANGES)
        return false;
    p->set[p->ranges++] = (struct defined_range){(uint16_t)(-from - size), (uint16_t)-from};
    return true;
}

// A store to the frame at a place that is known.
static bool pass_store(struct prologue *p, const struct instruction *n)
{
    bool by_bp = n->base == INSTRUCTION_RBP && p->has_bp;
    if (!n->exact || !(n->base == INSTRUCTION_RSP || by_bp))
        return false;
    int64_t place = (by_bp ? p->bp : p->sp) + n->distance;
    if (p->holds_guard != NO_REGISTER && n->values == 1u << p->holds_guard && n->size == FRAME_GUARD_BYTES && place < 0)
        p->guard = place;
    return add_set(p, place, n->size);
}

static bool writes_memory(const struct instruction *n, const char *text)
{
    const char *operands = text_skip_blanks(text + strcspn(text, " \t"));
    return n->memory && n->form != FORM_LOOK && n->form != FORM_ADDRESS && effects_last_operand(operands)[0] != '%';
}

// One instruction before the hook. False: it is not understood.
static bool pass_prologue(struct prologue *p, const char *text)
{
    struct instruction n;
    long long amount;
    instruction_read(&n, text);
    if (text_begins(text, "push")) {
        p->sp -= 8;
        return add_set(p, p->sp, 8);
    }
    if (sscanf(text, "subq $%lld, %%rsp", &amount) == 1 && strstr(text, "%rsp")) {
        p->sp -= amount;
        return amount >= 0;
    }
    if (sscanf(text, "andq $%lld, %%rsp", &amount) == 1 && strstr(text, "%rsp")) {
        *p = (struct prologue){.holds_guard = NO_REGISTER}; // what lies above: how far it is differs from call to call
        return amount < 0;
    }
    if (n.form == FORM_COPY && n.written == INSTRUCTION_RBP && n.values >> INSTRUCTION_RSP & 1) {
        p->bp = p->sp;
        p->has_bp = true;
        return true;
    }
    if (n.written == INSTRUCTION_RSP || n.written == INSTRUCTION_RBP || !n.effects.known || n.effects.call ||
        n.anywhere)
        return false;
    bool passed = !writes_memory(&n, text) || pass_store(p, &n);
    p->holds_guard = text_begins(text, "movq") && strstr(text, "%fs:40,") ? n.written : NO_REGISTER;
    return passed;
}

static bool is_entry(const struct defined *d, size_t i)
{
    const char *text = item_at(d, i)->kind == ITEM_INSTRUCTION ? instruction_at(d, i) : "";
    return is_call(text) && strstr(text, "__tsan_func_entry");
}

// Where the function puts the description of its variables, from the stack pointer.
static int32_t find_header(const struct defined *d, size_t first, size_t end)
{
    int distance = 0, length = 0;
    for (size_t i = first; i < end; i++) {
        const char *text = item_at(d, i)->kind == ITEM_INSTRUCTION ? instruction_at(d, i) : "";
        if (!text_begins(text, "movq") || !strstr(text, "$1102416563,")) // FRAME_HEADER_MAGIC
            continue;
        const char *place = text_skip_blanks(strchr(text, ',') + 1);
        if (sscanf(place, "%d(%%rsp)%n", &distance, &length) == 1 && length)
            return distance;
        return text_begins(place, "(%rsp)") ? 0 : NOT_IN_FRAME;
    }
    return NOT_IN_FRAME;
}

static int compare_ranges(const void *a, const void *b)
{
    const struct defined_range *one = a, *other = b;
    return (one->from > other->from) - (one->from < other->from);
}

static void keep_entry(struct defined *d, size_t item, const struct prologue *p, int32_t header)
{
    int64_t size = -p->sp;
    int32_t guard = p->guard ? (int32_t)(size + p->guard) : NOT_IN_FRAME;
    if (size < 16 || size > LARGEST_FRAME)
        return;
    d->entry = alloc_grow(d->entry, d->entries, &d->entry_room, sizeof *d->entry);
    d->entry[d->entries++] =
        (struct defined_entry){item, (uint32_t)size, (uint32_t)d->ranges, (uint32_t)p->ranges, header, guard};
    d->entry_of[item] = (uint32_t)d->entries;
    size_t first = d->ranges;
    for (size_t i = 0; i < p->ranges; i++) {
        struct defined_range set = p->set[i];
        uint16_t from = (uint16_t)(set.until < size ? size - set.until : 0);
        d->range = alloc_grow(d->range, d->ranges, &d->range_room, sizeof *d->range);
        d->range[d->ranges++] = (struct defined_range){from, (uint16_t)(size - set.from)};
    }
    qsort(d->range + first, d->ranges - first, sizeof *d->range, compare_ranges);
}

static void look_at_entry(struct defined *d, size_t first, size_t end)
{
    struct prologue p = {.sp = -8, .holds_guard = NO_REGISTER};
    add_set(&p, -8, 8);                                                // the return address
    while (first < end && item_at(d, first)->kind != ITEM_INSTRUCTION) // its own labels
        first++;
    for (size_t i = first; i < end; i++) {
        if (is_entry(d, i)) {
            keep_entry(d, i, &p, find_header(d, i, end));
            return;
        }
        if (!is_passed(d, i) || (item_at(d, i)->kind == ITEM_INSTRUCTION && !pass_prologue(&p, instruction_at(d, i))))
            return;
    }
}

// ---- the file ----

static void look_at_function(struct defined *d, size_t first, size_t end)
{
    look_at_entry(d, first, end);
    for (size_t i = first; i < end; i++)
        look_at_load(d, i, end);
}

struct defined *defined_new(const struct unseen_walk *walk)
{
    struct defined *d = alloc_zeroed(1, sizeof *d);
    d->walk = walk;
    d->decides = alloc_zeroed(walk->listing.items + 1, sizeof *d->decides);
    d->entry_of = alloc_zeroed(walk->listing.items + 1, sizeof *d->entry_of);
    size_t first = walk->listing.items;
    for (size_t i = 0; i <= walk->listing.items; i++) {
        if (i < walk->listing.items && walk->listing.item[i].kind != ITEM_FUNCTION)
            continue;
        if (first < i)
            look_at_function(d, first, i);
        first = i;
    }
    return d;
}

void defined_free(struct defined *d)
{
    if (!d)
        return;
    free(d->decides);
    free(d->entry_of);
    free(d->entry);
    free(d->range);
    free(d);
}

size_t defined_count(const struct defined *d)
{
    return d ? d->reads + d->entries : 0;
}

bool defined_label(const struct defined *d, size_t number, char *label, size_t room)
{
    const struct listing *listing = &d->walk->listing;
    size_t item = number < listing->instructions ? listing->instruction[number] : listing->items;
    bool site = item < listing->items && (d->decides[item] || d->entry_of[item]);
    if (site)
        snprintf(label, room, ".Lheddle_defined%zu", item);
    return site;
}

static void write_read(struct buffer *text, size_t item)
{
    buffer_add(text, "\t.long .Lheddle_defined%zu - .\n\t.short %d, 0\n\t.long 0, 0, 0, 0\n", item, DEFINED_READ);
}

static void write_entry(struct buffer *text, const struct defined_entry *entry)
{
    buffer_add(text, "\t.long .Lheddle_defined%zu - .\n\t.short %d, %u\n", entry->item, DEFINED_ENTRY, entry->size);
    buffer_add(text, "\t.long .Lheddle_defined_ranges + %zu - .\n\t.long %u, %d, %d\n",
               entry->first * sizeof(struct defined_range), entry->ranges, entry->header, entry->guard);
}

// ---- pieces of the file ----

// What goes into one section. Of some sections the linker keeps one of several copies, by the name of their group; what tells of such a
// piece has to go with it.
struct piece {
    size_t first, end;
    const char *group; // null: none
    int length;        // of its name
};

static bool changes_section(const struct listing_item *item)
{
    static const char *const names[] = {".section",  ".text",       ".data",        ".bss",
                                        ".previous", ".popsection", ".pushsection", NULL};
    char name[16];
    if (item->kind != ITEM_DIRECTIVE)
        return false;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(item->text, " \t"), item->text);
    return text_is_one_of(name, names);
}

// `.section NAME,"axG",@progbits,GROUP,comdat`
static void find_group(struct piece *piece, const char *directive)
{
    const char *end = strstr(directive, ",comdat"), *group = end;
    while (group && group > directive && group[-1] != ',')
        group--;
    piece->group = end ? group : NULL;
    piece->length = end ? (int)(end - group) : 0;
}

static struct piece piece_at(const struct defined *d, size_t first)
{
    struct piece piece = {.first = first, .end = first + 1};
    if (changes_section(item_at(d, first)))
        find_group(&piece, item_at(d, first)->text);
    while (piece.end < d->walk->listing.items && !changes_section(item_at(d, piece.end)))
        piece.end++;
    return piece;
}

static size_t count_sites(const struct defined *d, const struct piece *piece)
{
    size_t count = 0;
    for (size_t i = piece->first; i < piece->end; i++)
        count += (size_t)d->decides[i] + (d->entry_of[i] != 0);
    return count;
}

static void write_sites(const struct defined *d, const struct piece *piece, struct buffer *text)
{
    for (size_t i = piece->first; i < piece->end; i++) {
        if (d->decides[i])
            write_read(text, i);
        if (d->entry_of[i])
            write_entry(text, &d->entry[d->entry_of[i] - 1]);
    }
}

void defined_write(const struct defined *d, struct buffer *text)
{
    size_t items = d->walk->listing.items, count = 0;
    struct piece piece;
    for (size_t i = 0; i < items; i = piece.end) {
        piece = piece_at(d, i);
        count += piece.group ? 0 : count_sites(d, &piece);
    }
    buffer_add(text, "\t.balign 8\n.Lheddle_defined:\n\t.quad %zu\n", count);
    for (size_t i = 0; i < items; i = piece.end) {
        piece = piece_at(d, i);
        if (!piece.group)
            write_sites(d, &piece, text);
    }
    buffer_add(text, ".Lheddle_defined_ranges:\n");
    for (size_t i = 0; i < d->ranges; i++)
        buffer_add(text, "\t.short %u, %u\n", d->range[i].from, d->range[i].until);
}

static void write_group(const struct defined *d, const struct piece *piece, struct buffer *text)
{
    int length = piece->length;
    const char *group = piece->group;
    buffer_add(text, "\t.section .data.rel.ro.heddle,\"awG\",@progbits,%.*s,comdat\n\t.balign 8\n", length, group);
    buffer_add(text, ".Lheddle_defined_in%zu:\n\t.quad %zu\n", piece->first, count_sites(d, piece));
    write_sites(d, piece, text);
    buffer_add(text, "\t.section .text.heddle,\"axG\",@progbits,%.*s,comdat\n", length, group);
    buffer_add(text,
               ".Lheddle_tell_in%zu:\n\tleaq .Lheddle_defined_in%zu(%%rip), %%rdi\n"
               "\tjmp *__heddle_defined@GOTPCREL(%%rip)\n",
               piece->first, piece->first);
    buffer_add(text,
               "\t.section .init_array,\"awG\",@init_array,%.*s,comdat\n\t.balign 8\n\t.quad .Lheddle_tell_in%zu\n",
               length, group, piece->first);
}

void defined_write_groups(const struct defined *d, struct buffer *text)
{
    struct piece piece;
    for (size_t i = 0; i < d->walk->listing.items; i = piece.end) {
        piece = piece_at(d, i);
        if (piece.group && count_sites(d, &piece))
            write_group(d, &piece, text);
    }
}
