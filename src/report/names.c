#include "report/names.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/table.h"
#include "report/places.h"
#include "report/openmp_regions.h"

enum {
    MOST_ROUNDS = 6, // of finding types through chains of pointers
    MOST_CALLERS = 4 // of malloc that are asked for the type
};

// The block's index in the trace, or NO_ENTRY, if one starts exactly here or holds the address.
static size_t block_index(const struct names *n, uint64_t address, size_t entry)
{
    const struct trace_block *block = n->trace ? trace_block_at(n->trace, address, entry) : NULL;
    return block ? (size_t)(block - n->trace->blocks) : NO_ENTRY;
}

static void heap_part(struct names *n, size_t index, uint64_t address, uint64_t size, struct buffer *out,
                      Dwarf_Die *type, bool *typed)
{
    const struct trace_block *block = &n->trace->blocks[index];
    struct names_block *known = &n->blocks[index];
    uint64_t offset = address - block->address;
    struct text_piece *piece = pieces_at(&n->pieces, index, offset);
    *typed = false;
    if (piece) {
        offset = types_path(&piece->type, offset - piece->offset, size, out, type);
        *typed = offset == 0;
    } else if (known->typed) {
        uint64_t each = types_size(&known->type);
        bool array = each && block->size >= 2 * each && block->size % each == 0;
        if (!array && offset >= each) { // behind a header
            buffer_add(out, "+%llu", (unsigned long long)offset);
            return;
        }
        if (array) {
            buffer_add(out, "[%llu]", (unsigned long long)(offset / each));
            offset %= each;
        }
        offset = types_path(&known->type, offset, size, out, type);
        *typed = offset == 0;
    }
    if (offset)
        buffer_add(out, "+%llu", (unsigned long long)offset);
}

// The variable that the bytes belong to. One on the stack of a thread other than main says whose: "worker::node@T1".
static bool variable_part(const struct names *n, uint64_t address, uint64_t size, size_t entry, struct buffer *out,
                          Dwarf_Die *type, bool *typed)
{
    *typed = false;
    if (!n->symbols)
        return false;
    const struct trace_frame *f = n->trace ? trace_frame_at(n->trace, address, entry) : NULL;
    if (!f)
        return symbols_data(n->symbols, address, size, out, type, typed);
    struct symbols_frame frame = {f->pc, f->sp, f->fp, f->at};
    if (!symbols_local(n->symbols, &frame, address, size, out, type, typed) &&
        !regions_name(n->trace, n->symbols, address, size, entry, out, type, typed))
        return false;
    if (f->actor) {
        buffer_add(out, "@");
        names_thread_path(n, f->actor, out);
    }
    return true;
}

// The type of what a location points to, if it is a pointer to something that fits into the block.
static bool pointed_type(struct names *n, const struct trace_record *r, size_t entry, uint64_t room, Dwarf_Die *target)
{
    struct buffer ignored = {0};
    Dwarf_Die type;
    bool typed = false;
    size_t index = block_index(n, r->address, entry);
    if (index != NO_ENTRY)
        heap_part(n, index, r->address, r->size, &ignored, &type, &typed);
    else
        variable_part(n, r->address, r->size, entry, &ignored, &type, &typed);
    buffer_free(&ignored);
    if (!typed || !types_pointee(&type, target))
        return false;
    uint64_t size = types_size(target);
    return size > 1 && size <= room;
}

static bool learn(struct names *n, size_t entry, uint64_t value)
{
    size_t index = block_index(n, value, entry);
    Dwarf_Die target;
    if (index == NO_ENTRY || n->trace->blocks[index].address != value)
        return false;
    struct names_block *known = &n->blocks[index];
    uint64_t room = n->trace->blocks[index].size, had = known->typed ? types_size(&known->type) : 0;
    if (had == room || !pointed_type(n, &n->trace->entries[entry].record, entry, room, &target) ||
        types_size(&target) <= had)
        return false;
    known->type = target; // of several the one that fills the block best: a header may stand at its beginning
    known->typed = true;
    return true;
}

// Whether a type leaves room for other objects at this place: there is none, it fills only a part of the block, or it has bytes
// there and nothing else.
static bool leaves_room(struct names_block *known, uint64_t offset, uint64_t size, uint64_t room)
{
    struct buffer ignored = {0};
    Dwarf_Die part;
    uint64_t whole = known->typed ? types_size(&known->type) : 0;
    if (!whole || room >= 2 * whole || offset >= whole || !types_is_users(&known->type))
        return true;
    types_path(&known->type, offset, size, &ignored, &part);
    buffer_free(&ignored);
    return types_is_text(&part);
}

// A pointer into a block that no type of the user's fills, to something that has one.
static bool learn_piece(struct names *n, size_t entry, uint64_t value)
{
    size_t index = block_index(n, value, entry);
    Dwarf_Die target;
    if (index == NO_ENTRY)
        return false;
    const struct trace_block *block = &n->trace->blocks[index];
    struct names_block *known = &n->blocks[index];
    uint64_t offset = value - block->address;
    if (!offset || !pointed_type(n, &n->trace->entries[entry].record, entry, block->size - offset, &target) ||
        !types_is_users(&target) || !leaves_room(known, offset, types_size(&target), block->size))
        return false;
    bool element = known->typed && types_same(&known->type, &target); // of an array
    return !element && pieces_add(&n->pieces, index, offset, &target);
}

// By where it was allocated: a function that keeps a pointer to something of this size, or one of its callers.
static void learn_from_site(struct names *n, size_t index)
{
    const struct trace_block *block = &n->trace->blocks[index];
    const struct trace_entry *e = &n->trace->entries[block->allocated];
    struct names_block *known = &n->blocks[index];
    enum allocated result = known->typed ? ALLOCATED_FOUND : ALLOCATED_UNKNOWN;
    for (uint32_t i = 0; i < e->record.frames && i < MOST_CALLERS && result == ALLOCATED_UNKNOWN; i++)
        result = symbols_allocated(n->symbols, e->frames[i], block->size, &known->type);
    known->typed = result == ALLOCATED_FOUND;
}

static void learn_from_pointers(struct names *n, bool (*take)(struct names *, size_t, uint64_t))
{
    bool changed = n->trace->block_count > 0;
    for (int round = 0; changed && round < MOST_ROUNDS; round++) {
        changed = false;
        for (size_t i = 0; i < n->trace->count; i++) {
            const struct trace_entry *e = &n->trace->entries[i];
            if (e->record.size != sizeof(void *) || !trace_is_access(e) || names_is_aside(n, i))
                continue;
            changed |= take(n, i, e->record.value);
            if (e->record.type == TRACE_EVENT || e->record.type == TRACE_WRITE)
                changed |= take(n, i, e->record.result);
        }
    }
}

static void learn_types(struct names *n)
{
    learn_from_pointers(n, learn);
    for (size_t i = 0; i < n->trace->block_count; i++)
        if (!names_is_aside(n, n->trace->blocks[i].allocated))
            learn_from_site(n, i);
    learn_from_pointers(n, learn); // those inside
    learn_from_pointers(n, learn_piece);
    if (n->pieces.count)
        learn_from_pointers(n, learn); // what they point to
}

static bool may_be_aside(const struct trace_entry *e)
{
    const struct trace_record *r = &e->record;
    if (r->type == TRACE_SILENT)
        return r->kind == SILENT_FREE || r->kind == SILENT_ALLOC || r->kind == SILENT_UNLOCK;
    return trace_is_access(e) || (r->type == TRACE_EVENT && (r->kind == OP_ONCE || r->kind == OP_LOCK));
}

// Frameworks take thousands of steps, at few places. Found out once for each place and caller.
static void put_framework_aside(struct names *n)
{
    struct table places = {0};
    bool *inside = NULL;
    size_t room = 0;
    n->aside = alloc_zeroed(n->trace->count + 1, sizeof *n->aside);
    for (size_t i = 0; i < n->trace->count; i++) {
        const struct trace_entry *e = &n->trace->entries[i];
        uint64_t place[2] = {e->record.pc, e->record.frames > 1 ? e->frames[1] : 0};
        bool added;
        if (!may_be_aside(e))
            continue;
        uint32_t number = table_add(&places, place, sizeof place, &added);
        if (added) {
            inside = alloc_grow(inside, number, &room, sizeof *inside);
            inside[number] = places_is_framework(n, i);
        }
        n->aside[i] = inside[number]; // NOLINT(clang-analyzer-core.NullDereference): the first one is added
    }
    table_free(&places);
    free(inside);
}

void names_open(struct names *n, const struct trace *trace, const struct job *job)
{
    *n = (struct names){.trace = trace, .job = job};
    if (!trace)
        return;
    n->symbols = symbols_new();
    for (size_t i = 0; i < trace->count; i++) // a module that is gone or made up (the vdso) has no names, that is all
        if (trace->entries[i].record.type == TRACE_MODULE)
            symbols_add(n->symbols, trace->entries[i].text, trace->entries[i].record.address);
    n->blocks = alloc_zeroed(trace->block_count, sizeof *n->blocks);
    if (job && job->task.rules.framework)
        put_framework_aside(n);
    learn_types(n);
}

void names_close(struct names *n)
{
    symbols_free(n->symbols);
    free(n->blocks);
    pieces_free(&n->pieces);
    free(n->aside);
    *n = (struct names){0};
}

static bool identity(const struct names *n, uint32_t actor, uint32_t *parent, uint32_t *number)
{
    if (actor >= MAX_ACTORS)
        return false;
    if (n->trace && n->trace->actors[actor].known) {
        *parent = n->trace->actors[actor].parent;
        *number = n->trace->actors[actor].number;
        return true;
    }
    if (!n->job || actor >= n->job->threads.count)
        return false;
    *parent = n->job->threads.thread[actor].parent;
    *number = n->job->threads.thread[actor].number;
    return true;
}

static void thread_path(const struct names *n, uint32_t actor, int depth, struct buffer *out)
{
    uint32_t parent, number;
    if (!identity(n, actor, &parent, &number) || depth > MAX_ACTORS) {
        buffer_add(out, "thread-%u", actor);
    } else if (parent == 0) {
        buffer_add(out, "T%u", number + 1);
    } else {
        thread_path(n, parent, depth + 1, out);
        buffer_add(out, ".%u", number + 1);
    }
}

void names_thread_path(const struct names *n, uint32_t actor, struct buffer *out)
{
    if (actor == 0)
        buffer_add(out, "main");
    else
        thread_path(n, actor, 0, out);
}

const char *names_thread_name(const struct names *n, uint32_t actor)
{
    const char *name = n->trace && actor < MAX_ACTORS ? n->trace->actors[actor].name : NULL;
    return name && *name ? name : NULL;
}

void names_thread(const struct names *n, uint32_t actor, struct buffer *out)
{
    const char *name = names_thread_name(n, actor);
    names_thread_path(n, actor, out);
    if (!name)
        return;
    buffer_add(out, " (");
    buffer_add_safe(out, name, strlen(name), false);
    buffer_add(out, ")");
}

const char *names_label_word(enum label_kind kind)
{
    return kind == LABELS_MAPPING ? "mapping" : "heap";
}

bool names_is_mapping(const struct names *n, const struct trace_block *block)
{
    return n->trace->entries[block->allocated].record.kind == SILENT_MAP;
}

static uint32_t label_of(enum label_kind kind, uint32_t number)
{
    return number * LABELS_KINDS + kind;
}

// The name of the block, or of the piece of it that holds the address.
static uint32_t label(struct names *n, size_t index, uint64_t address)
{
    struct text_piece *piece = pieces_at(&n->pieces, index, address - n->trace->blocks[index].address);
    uint32_t *number = piece ? &piece->label : &n->blocks[index].label;
    enum label_kind kind = names_is_mapping(n, &n->trace->blocks[index]) ? LABELS_MAPPING : LABELS_HEAP;
    if (*number == 0)
        *number = label_of(kind, ++n->labels[kind]);
    return *number;
}

static void add_label(struct names *n, size_t index, uint64_t address, struct buffer *out)
{
    uint32_t number = label(n, index, address);
    buffer_add(out, "%s%u", names_label_word(number % LABELS_KINDS), number / LABELS_KINDS);
}

size_t names_made(const struct names *n, uint64_t address)
{
    for (size_t i = 0; n->trace && i < n->trace->count; i++) {
        const struct trace_record *r = &n->trace->entries[i].record;
        if (r->type == TRACE_SILENT && r->kind == SILENT_MADE && r->address == address)
            return i;
    }
    return NO_ENTRY;
}

// A descriptor's object is called by what it is and where it was made.
static bool made_name(struct names *n, uint64_t address, struct buffer *out)
{
    size_t entry = names_made(n, address);
    if (entry == NO_ENTRY)
        return false;
    const struct trace_entry *e = &n->trace->entries[entry];
    struct buffer place = {0};
    buffer_add(out, "%s", e->text);
    if (places_name(n, entry, &place)) {
        const char *slash = strrchr(place.text, '/'); // rows are narrow
        buffer_add(out, " made at %s", slash ? slash + 1 : place.text);
    }
    buffer_free(&place);
    return true;
}

bool names_data(struct names *n, uint64_t address, uint64_t size, size_t entry, struct buffer *out, Dwarf_Die *type)
{
    bool typed = false;
    size_t index = block_index(n, address, entry);
    if (index != NO_ENTRY) {
        add_label(n, index, address, out);
        heap_part(n, index, address, size, out, type, &typed);
    } else if (!variable_part(n, address, size, entry, out, type, &typed) && !made_name(n, address, out)) {
        buffer_add(out, "0x%llx", (unsigned long long)address);
    }
    return typed;
}

static bool knows(const struct names *n, uint64_t address, uint64_t size, size_t entry, Dwarf_Die *type, bool *typed)
{
    struct buffer ignored = {0};
    *typed = false;
    bool known =
        block_index(n, address, entry) != NO_ENTRY || variable_part(n, address, size, entry, &ignored, type, typed);
    buffer_free(&ignored);
    return known;
}

bool names_knows(const struct names *n, uint64_t address, size_t entry)
{
    Dwarf_Die type;
    bool typed;
    return knows(n, address, 1, entry, &type, &typed);
}

bool names_tells(const struct names *n, size_t entry)
{
    const struct trace_record *r = &n->trace->entries[entry].record;
    Dwarf_Die type;
    bool typed;
    return knows(n, r->address, r->size, entry, &type, &typed) && !(typed && types_is(&type, "pthread_t"));
}

// Whether std::thread keeps in it what it is to call: then another thread than the one that allocated it reads it before it is
// in any function of the user's.
static bool holds_call(struct names *n, size_t index)
{
    enum { LOOK_AHEAD = 5000 };
    struct names_block *block = &n->blocks[index];
    size_t first = n->trace->blocks[index].allocated;
    if (block->inner)
        return block->inner == 2;
    block->inner = 1;
    for (size_t i = first + 1; i < n->trace->count && i - first < LOOK_AHEAD; i++) {
        const struct trace_entry *e = &n->trace->entries[i];
        if (e->record.type != TRACE_READ || e->record.actor == n->trace->entries[first].record.actor ||
            block_index(n, e->record.address, i) != index)
            continue;
        block->inner = places_is_foreign(n, i) ? 2 : 1;
        break;
    }
    return block->inner == 2;
}

bool names_is_inner(struct names *n, size_t entry)
{
    const struct trace_record *r = &n->trace->entries[entry].record;
    struct buffer name = {0};
    Dwarf_Die ignored;
    size_t index = block_index(n, r->address, entry);
    if (index != NO_ENTRY && holds_call(n, index))
        return true;
    bool typed, known = true;
    if (index != NO_ENTRY)
        heap_part(n, index, r->address, r->size, &name, &ignored, &typed);
    else
        known = variable_part(n, r->address, r->size, entry, &name, &ignored, &typed);
    const char *text = buffer_text(&name);
    // variables of the C++ library's functions are not the user's, nor is it certain that they are what is there
    bool inner = known && (strstr(text, "@GLIBC") || strstr(text, "._vptr") || !strncmp(text, "__libc_", 7) ||
                           !strncmp(text, "vtable for ", 11) || !strncmp(text, "_M_", 3) || strstr(text, "::__"));
    buffer_free(&name);
    return inner;
}

bool names_is_own(const struct names *n, size_t entry)
{
    const struct trace_record *r = &n->trace->entries[entry].record;
    const struct trace_frame *f = trace_frame_at(n->trace, r->address, entry);
    return f && f->actor == r->actor;
}

// A pointer is called by what it points to: something of the size that its type says, if that is known.
static bool pointer_value(struct names *n, Dwarf_Die *pointer, uint64_t value, size_t entry, struct buffer *out)
{
    Dwarf_Die type, target;
    bool typed;
    uint64_t size = pointer && types_pointee(pointer, &target) ? types_size(&target) : 0;
    size_t index = block_index(n, value, entry);
    if (index != NO_ENTRY) {
        uint64_t offset = value - n->trace->blocks[index].address;
        struct text_piece *piece = pieces_at(&n->pieces, index, offset);
        offset -= piece ? piece->offset : 0;
        buffer_add(out, "%s", offset ? "&" : "");
        add_label(n, index, value, out);
        if (offset)
            heap_part(n, index, value, size, out, &type, &typed);
        return true;
    }
    if (!n->symbols)
        return false;
    if (symbols_function(n->symbols, value, out))
        return true;
    struct buffer name = {0};
    bool found = variable_part(n, value, size, entry, &name, &type, &typed);
    if (found)
        buffer_add(out, "&%s", buffer_text(&name));
    buffer_free(&name);
    return found;
}

// Whether the bytes are a text of at least three characters, perhaps ended by zeros. Returns its length.
static size_t text_in(uint64_t value, uint32_t size)
{
    size_t length = 0;
    while (length < size && (value >> 8 * length & 0xff) >= ' ' && (value >> 8 * length & 0xff) < 0x7f)
        length++;
    bool ends = length == size || !(value >> 8 * length);
    return ends && length >= 3 ? length : 0;
}

static void add_text(uint64_t value, size_t length, struct buffer *out)
{
    buffer_add(out, "\"");
    for (size_t i = 0; i < length; i++)
        buffer_add(out, "%c", (char)(value >> 8 * i));
    buffer_add(out, "\"");
}

static void bare_number(uint64_t value, uint32_t size, struct buffer *out)
{
    enum { SMALL = 1 << 20 };
    unsigned shift = size > 0 && size < 8 ? 64 - 8 * size : 0;
    int64_t number = (int64_t)(value << shift) >> shift;
    value = value << shift >> shift;
    if (number > -SMALL && number < SMALL)
        buffer_add(out, "%lld", (long long)number);
    else
        buffer_add(out, "0x%llx", (unsigned long long)value);
    if ((number <= -SMALL || number >= SMALL) && text_in(value, size)) {
        buffer_add(out, " = ");
        add_text(value, text_in(value, size), out);
    }
}

// What pthread_create gave out.
static bool thread_value(const struct names *n, Dwarf_Die *type, uint64_t value, struct buffer *out)
{
    for (uint32_t actor = 1; n->trace && actor < MAX_ACTORS && types_is(type, "pthread_t"); actor++) {
        if (!n->trace->actors[actor].known || n->trace->actors[actor].handle != value)
            continue;
        names_thread_path(n, actor, out);
        return true;
    }
    return false;
}

void names_value(struct names *n, Dwarf_Die *type, uint64_t value, uint32_t size, size_t entry, struct buffer *out)
{
    if (type && thread_value(n, type, value, out))
        return;
    if (type && types_value(type, value, size, out))
        return;
    if (type && types_is_text(type) && text_in(value, size)) {
        add_text(value, text_in(value, size), out);
        return;
    }
    bool pointer = type && types_is_pointer(type) && size == sizeof(void *);
    if (pointer && value == 0) {
        buffer_add(out, "NULL");
        return;
    }
    // Without a type only what is the start of a heap block is taken for a pointer.
    size_t index = size == sizeof(void *) ? block_index(n, value, entry) : NO_ENTRY;
    bool likely = !type && index != NO_ENTRY && n->trace->blocks[index].address == value;
    if ((pointer || likely) && pointer_value(n, type, value, entry, out))
        return;
    if (pointer)
        buffer_add(out, "0x%llx", (unsigned long long)value);
    else
        bare_number(value, size, out);
}

bool names_place(const struct names *n, uint64_t pc, struct buffer *out)
{
    struct symbols_place place;
    if (!n->symbols || symbols_places(n->symbols, pc, &place, 1) == 0)
        return false;
    if (place.file)
        buffer_add(out, "%s:%d", place.file, place.line);
    else
        buffer_add(out, "%s", place.function);
    return true;
}

// The runtime calls the program's main and thread functions; nobody wants to see that.
static bool is_heddle(const struct names *n, uint64_t pc)
{
    return pc && symbols_are_heddles(n->symbols, pc - 1);
}

size_t names_stack(const struct names *n, const struct trace_entry *e, uint64_t *stack, size_t room)
{
    size_t count = 0;
    if (e->record.pc && room &&
        !is_heddle(n, e->record.pc)) // a function that heddle defines in the place of the library's
        stack[count++] = e->record.pc;
    for (uint32_t i = 0; i < e->record.frames && count < room; i++)
        if ((i > 0 || e->frames[0] != e->record.pc) && !is_heddle(n, e->frames[i]))
            stack[count++] = e->frames[i];
    return count;
}

// What the user called to have a block.
static const char *allocating(const struct names *n, size_t entry)
{
    const struct trace_entry *e = &n->trace->entries[entry];
    struct symbols_place place;
    bool known = n->symbols && symbols_places(n->symbols, e->record.pc, &place, 1) && place.function;
    if (known && !strncmp(place.function, "operator new", strlen("operator new")))
        return "new";
    if (known && is_heddle(n, e->record.pc))
        return place.function;
    return e->text[0] ? e->text : e->record.kind == SILENT_MAP ? "mmap" : "malloc";
}

void names_block_site(struct names *n, const struct trace_block *block, struct buffer *out)
{
    const struct trace_entry *e = &n->trace->entries[block->allocated];
    struct names_block *known = &n->blocks[block - n->trace->blocks];
    buffer_add(out, "%llu bytes", (unsigned long long)block->size);
    if (known->typed) {
        struct buffer name = {0};
        types_name(&known->type, &name);
        if (name.length)
            buffer_add(out, " (%s)", name.text);
        buffer_free(&name);
    }
    buffer_add(out, " from %s", allocating(n, block->allocated));
    struct buffer place = {0};
    struct symbols_place own;
    bool users = places_own(n, block->allocated, &own) && !places_is_system(&own);
    if (users && places_name(n, block->allocated, &place))
        buffer_add(out, " at %s", place.text);
    buffer_free(&place);
    buffer_add(out, " by ");
    names_thread(n, e->record.actor, out);
}

static void piece_site(struct names *n, struct text_piece *piece, struct buffer *out)
{
    struct buffer name = {0};
    types_name(&piece->type, &name);
    buffer_add(out, "%llu bytes (%s) at +%llu in ", (unsigned long long)piece->size, buffer_text(&name),
               (unsigned long long)piece->offset);
    names_block_site(n, &n->trace->blocks[piece->block], out);
    buffer_free(&name);
}

void names_heap(struct names *n, const struct trace_block *block, uint64_t address, struct buffer *out)
{
    uint64_t offset = address - block->address;
    struct text_piece *piece = pieces_at(&n->pieces, (size_t)(block - n->trace->blocks), offset);
    buffer_add(out, "+%llu in ", (unsigned long long)(offset - (piece ? piece->offset : 0)));
    if (piece)
        piece_site(n, piece, out);
    else
        names_block_site(n, block, out);
}

void names_label_site(struct names *n, enum label_kind kind, uint32_t which, struct buffer *out)
{
    uint32_t number = label_of(kind, which);
    for (size_t i = 0; i < n->trace->block_count; i++)
        if (n->blocks[i].label == number)
            names_block_site(n, &n->trace->blocks[i], out);
    for (size_t i = 0; i < n->pieces.count; i++)
        if (n->pieces.list[i].label == number)
            piece_site(n, &n->pieces.list[i], out);
}
