#include "report/bug_identity.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/glob.h"
#include "report/occurrence.h"
#include "report/places.h"

enum { MOST_PARTS = 64, MOST_DEPTH = 64, MOST_INLINED = 8 };

// Parts whose order says nothing.
struct identity_parts {
    char *part[MOST_PARTS];
    size_t count;
};

static void add_name(struct identity *id, const char *name)
{
    for (size_t i = 0; i < id->name_count; i++)
        if (!strcmp(id->names[i], name))
            return;
    id->names = alloc_grow(id->names, id->name_count, &id->name_room, sizeof *id->names);
    id->names[id->name_count++] = alloc_copy(name);
}

// heddle_test numbers the functions it makes.
static const char *function_name(const char *function, const char *test)
{
    static const char made[] = "heddle_test_function_";
    return test && !strncmp(function, made, sizeof made - 1) ? test : function;
}

// The user's function in which an entry stands; null if unknown.
static const char *function_at(struct finding *f, size_t entry, const char *test)
{
    struct symbols_place place;
    if (!f->trace || entry == NO_ENTRY || !places_own(&f->names, entry, &place) || !place.function)
        return NULL;
    return function_name(place.function, test);
}

// Which of the places in its function that read the same this is. A macro of another file stands for where it is used.
static void add_occurrence(struct finding *f, uint64_t pc, const char *condition, struct buffer *out)
{
    struct symbols_place place;
    if (f->names.symbols && pc && symbols_places(f->names.symbols, pc, &place, 1) && !place.library)
        occurrence_add(&place, condition, out);
}

static void name_stack(struct identity *id, struct finding *f, size_t entry, const char *test)
{
    uint64_t stack[MOST_DEPTH];
    if (entry == NO_ENTRY)
        return;
    size_t count = names_stack(&f->names, &f->trace->entries[entry], stack, MOST_DEPTH);
    for (size_t i = 0; i < count; i++) {
        struct symbols_place places[MOST_INLINED];
        size_t inlined = symbols_places(f->names.symbols, stack[i], places, MOST_INLINED);
        for (size_t k = 0; k < inlined; k++)
            if (places[k].function)
                add_name(id, function_name(places[k].function, test));
    }
}

// What differs from one run or build to the next: an element of an array is as good as another, and so are offsets in a
// block of unknown type, which may be a whole slab of objects, and the threads on whose stack a variable is. slot[3].x becomes
// slot[].x, pool+64 becomes pool, work::node@T2 becomes work::node.
static void drop_numbers(const char *name, struct buffer *out)
{
    while (*name) {
        size_t digits = *name == '[' || *name == '+' ? strspn(name + 1, "0123456789") : 0;
        if (*name == '+' && digits) {
            name += digits + 1;
        } else if (*name == '@' && (!strncmp(name, "@T", 2) || !strncmp(name, "@thread-", 8))) {
            return; // it stands at the end
        } else {
            buffer_append(out, name, 1);
            name += digits + 1;
        }
    }
}

static void name_variable(struct identity *id, const char *whole, const char *general)
{
    char root[256];
    size_t length = strcspn(whole, ".[+");
    snprintf(root, sizeof root, "%.*s", (int)(length < sizeof root ? length : sizeof root - 1), whole);
    add_name(id, whole);
    add_name(id, general);
    add_name(id, root);
}

// A pipe or the like, by who made it.
static void made_text(struct identity *id, struct finding *f, size_t made, const char *test, struct buffer *out)
{
    const struct trace_entry *e = &f->trace->entries[made];
    const char *function = function_at(f, made, test);
    buffer_add(out, "%s of %s", e->text, function ? function : "?");
    name_stack(id, f, made, test);
}

// Memory by its variable; a block of the heap by who allocated it, since its number differs between reports.
static void memory_text(struct identity *id, struct finding *f, uint64_t address, uint64_t size, size_t entry,
                        const char *test, struct buffer *out)
{
    struct buffer name = {0}, general = {0};
    Dwarf_Die ignored;
    const struct trace_block *block = f->trace ? trace_block_at(f->trace, address, entry) : NULL;
    size_t made = f->trace && !block ? names_made(&f->names, address) : NO_ENTRY;
    if (made != NO_ENTRY) {
        made_text(id, f, made, test, out);
        return;
    }
    if (!address || !f->trace || !names_knows(&f->names, address, entry)) {
        buffer_add(out, "memory without a name");
        return;
    }
    names_data(&f->names, address, size, entry, &name, &ignored);
    drop_numbers(buffer_text(&name), &general);
    if (block) {
        const char *function = function_at(f, block->allocated, test);
        const char *whole = buffer_text(&general), *rest = whole + strcspn(whole, ".[+-");
        rest += strncmp(rest, "[]", 2) ? 0 : 2; // whether it is an array may not show in every run
        buffer_add(out, "%s of %s%s", names_is_mapping(&f->names, block) ? "mapping" : "heap block",
                   function ? function : "?", rest);
        name_stack(id, f, block->allocated, test);
    } else {
        buffer_add(out, "%s", buffer_text(&general));
        name_variable(id, buffer_text(&name), buffer_text(&general));
    }
    buffer_free(&name);
    buffer_free(&general);
}

static void add_part(struct identity_parts *p, struct buffer *text)
{
    size_t at = 0;
    while (at < p->count && strcmp(p->part[at], text->text) < 0)
        at++;
    bool known = at < p->count && !strcmp(p->part[at], text->text);
    if (known || p->count == MOST_PARTS) {
        buffer_free(text);
        return;
    }
    memmove(p->part + at + 1, p->part + at, (p->count - at) * sizeof *p->part);
    p->part[at] = text->text;
    p->count++;
    *text = (struct buffer){0};
}

static void join_parts(struct identity_parts *p, const char *between, struct buffer *out)
{
    for (size_t i = 0; i < p->count; i++) {
        buffer_add(out, "%s%s", i ? between : "", p->part[i]);
        free(p->part[i]);
    }
    p->count = 0;
}

static void add_function(struct identity_parts *p, const char *function)
{
    struct buffer text = {0};
    buffer_add(&text, "%s", function ? function : "?");
    add_part(p, &text);
}

static void race_text(struct identity *id, struct finding *f, const char *test)
{
    struct identity_parts functions = {0};
    size_t first = f->focus.first;
    buffer_add(&id->text, " on ");
    memory_text(id, f, f->address, f->size, f->focus.failure == NO_ENTRY ? 0 : f->focus.failure, test, &id->text);
    if (first != NO_ENTRY)
        add_function(&functions, function_at(f, first, test));
    add_function(&functions, function_at(f, finding_entry(f), test));
    name_stack(id, f, first, test);
    buffer_add(&id->text, " in ");
    join_parts(&functions, " and ", &id->text);
}

static const struct finding_wait *wait_of(const struct finding *f, uint32_t actor)
{
    for (size_t i = 0; i < f->wait_count; i++)
        if (f->waits[i].actor == actor)
            return &f->waits[i];
    return NULL;
}

// Whether a thread waits, through others that do, for itself.
static bool in_circle(const struct finding *f, const struct finding_wait *wait)
{
    const struct finding_wait *next = wait;
    for (size_t steps = 0; next && steps <= f->wait_count; steps++) {
        if (next->holder == wait->actor)
            return true;
        next = next->holder < MAX_ACTORS ? wait_of(f, next->holder) : NULL;
    }
    return false;
}

// Who waits for one of a circle, or joins a thread that is stuck, is a bystander; there may be any number of them.
static bool is_bystander(const struct finding *f, const struct finding_wait *wait)
{
    bool circle = false, others = false;
    for (size_t i = 0; i < f->wait_count; i++) {
        circle |= in_circle(f, &f->waits[i]);
        others |= f->waits[i].kind != OP_JOIN;
    }
    return circle ? !in_circle(f, wait) : others && wait->kind == OP_JOIN;
}

static void waits_text(struct identity *id, struct finding *f, const char *test)
{
    struct identity_parts waits = {0};
    for (size_t i = 0; i < f->wait_count; i++) {
        const struct finding_wait *w = &f->waits[i];
        struct buffer text = {0};
        if (is_bystander(f, w))
            continue;
        buffer_add(&text, "%s", op_table[w->kind].name);
        if (w->address && w->kind != OP_JOIN) {
            buffer_add(&text, " ");
            memory_text(id, f, w->address, op_table[w->kind].access ? 1 : 0, w->entry, test, &text);
        }
        const char *function = function_at(f, w->entry, test);
        buffer_add(&text, " in %s", function ? function : "?");
        add_occurrence(f, w->pc, NULL, &text);
        name_stack(id, f, w->entry, test);
        add_part(&waits, &text);
    }
    buffer_add(&id->text, " of ");
    join_parts(&waits, ", ", &id->text);
}

// Addresses differ between builds, and numbers that look like them are in no sentence but those of the program itself.
static void drop_addresses(char *text)
{
    for (char *at = text; (at = strstr(at, "0x")); at += 2) {
        size_t digits = strspn(at + 2, "0123456789abcdef");
        memmove(at + 2, at + 2 + digits, strlen(at + 2 + digits) + 1);
    }
}

// The runtime's sentence without what differs between builds: the place at its end, or the address.
static void sentence_text(struct identity *id, const struct bug *bug)
{
    struct buffer text = {0};
    buffer_add_safe(&text, bug->text, strnlen(bug->text, sizeof bug->text), false);
    const struct bug_traits *traits = bug_traits(bug->kind);
    const char *variable = traits->varies_from ? traits->varies_from : " at address ", *end = NULL;
    for (const char *at = buffer_text(&text); (at = strstr(at, variable)); at++)
        end = at;
    if (end)
        buffer_cut(&text, (size_t)(end - text.text));
    if (!traits->quotes_condition && text.length)
        drop_addresses(text.text);
    buffer_add(&id->text, ", %s", buffer_text(&text));
    buffer_free(&text);
}

// The condition stands between quotes in the runtime's sentence.
static void add_assertion_number(struct identity *id, struct finding *f)
{
    const char *begin = strchr(f->bug->text, '`'), *end = begin ? strstr(begin, "' failed in ") : NULL;
    char *condition = end ? alloc_copy_part(begin + 1, (size_t)(end - begin - 1)) : NULL;
    add_occurrence(f, finding_pc(f), condition, &id->text);
    free(condition);
}

static void other_text(struct identity *id, struct finding *f, const char *test)
{
    const struct bug_traits *traits = bug_traits(f->bug->kind);
    if (traits->varies_from)
        sentence_text(id, f->bug);
    if (f->address && (f->focus.block || traits->object == BUG_ON_LOCK)) {
        buffer_add(&id->text, " on ");
        memory_text(id, f, f->address, f->size, f->focus.failure == NO_ENTRY ? 0 : f->focus.failure, test, &id->text);
    }
    const char *function = traits->has_no_place ? NULL : function_at(f, finding_entry(f), test);
    if (function)
        buffer_add(&id->text, " in %s", function);
    if (traits->quotes_condition && function)
        add_assertion_number(id, f);
}

static void file_text(struct identity *id, struct finding *f)
{
    struct symbols_place place;
    if (!finding_place(f, &place))
        return;
    const char *slash = strrchr(place.file, '/');
    buffer_add(&id->text, " (%s)", slash ? slash + 1 : place.file);
}

static uint64_t hash(const char *text)
{
    uint64_t mixed = 0xcbf29ce484222325u; // FNV-1a
    for (; *text; text++)
        mixed = (mixed ^ (unsigned char)*text) * 0x100000001b3u;
    return mixed;
}

void identity_make(struct identity *id, struct finding *f, const char *test)
{
    struct buffer raw = {0};
    *id = (struct identity){.kind = f->bug->kind};
    buffer_add(&id->text, "%s", bug_name(f->bug->kind));
    if (!f->trace)
        sentence_text(id, f->bug);
    else if (bug_traits(f->bug->kind)->shape == BUG_OF_TWO_ACCESSES)
        race_text(id, f, test);
    else if (f->wait_count)
        waits_text(id, f, test);
    else
        other_text(id, f, test);
    file_text(id, f);
    if (f->trace)
        name_stack(id, f, finding_entry(f), test);
    buffer_add_safe(&raw, id->text.text, id->text.length, false);
    buffer_free(&id->text);
    id->text = raw;
    id->fingerprint = hash(raw.text);
}

void identity_free(struct identity *id)
{
    for (size_t i = 0; i < id->name_count; i++)
        free(id->names[i]);
    free(id->names);
    buffer_free(&id->text);
    *id = (struct identity){0};
}

bool identity_is_called(const struct identity *id, const char *pattern)
{
    for (size_t i = 0; i < id->name_count; i++)
        if (glob_matches(pattern, id->names[i]))
            return true;
    return false;
}
