#include "report/outline.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "base/table.h"
#include "report/names.h"

// Finds operations by what they are in one run, so that names are looked up once for each.
struct known_op {
    uint64_t kind, address, pc;
};

static char *taken(struct buffer *text)
{
    char *copy = alloc_copy(buffer_text(text));
    buffer_free(text);
    return copy;
}

uint32_t outline_add_op(struct outline *o, struct outline_op op)
{
    o->ops = alloc_grow(o->ops, o->op_count, &o->op_room, sizeof *o->ops);
    o->ops[o->op_count] = op;
    return (uint32_t)o->op_count++;
}

void outline_add_event(struct outline *o, uint32_t op, uint16_t actor)
{
    if (!(o->count & (o->count - 1))) { // room for twice as many
        size_t room = o->count ? 2ull * o->count : 1;
        uint32_t *does = alloc_zeroed(room, sizeof *does);
        uint16_t *actors = alloc_zeroed(room, sizeof *actors);
        if (o->count) {
            memcpy(does, o->does, o->count * sizeof *does);
            memcpy(actors, o->actors, o->count * sizeof *actors);
        }
        free(o->does);
        free(o->actors);
        o->does = does;
        o->actors = actors;
    }
    o->does[o->count] = op;
    o->actors[o->count++] = actor;
}

static char *object_name(struct names *n, const struct trace_record *r, size_t entry)
{
    struct buffer name = {0};
    Dwarf_Die ignored;
    bool typed;
    if (r->address && trace_block_at(n->trace, r->address, entry))
        buffer_add(&name, "heap");
    else if (r->address)
        symbols_data(n->symbols, r->address, r->size, &name, &ignored, &typed);
    return taken(&name);
}

static char *place_name(struct names *n, uint64_t pc)
{
    struct buffer name = {0};
    struct symbols_place place;
    if (names_place(n, pc, &name) && symbols_places(n->symbols, pc, &place, 1) && place.file && place.function)
        buffer_add(&name, " (%s)", place.function);
    return taken(&name);
}

// `known` has the operations of the outline, by the same numbers.
static uint32_t op_of(struct outline *o, struct names *n, struct table *known, size_t entry)
{
    const struct trace_record *r = &n->trace->entries[entry].record;
    const struct known_op op = {r->kind, r->address, r->pc};
    bool added;
    uint32_t number = table_add(known, &op, sizeof op, &added);
    if (added)
        outline_add_op(
            o, (struct outline_op){alloc_copy(op_table[r->kind].name), object_name(n, r, entry), place_name(n, r->pc)});
    return number;
}

void outline_read(struct outline *o, const char *trace_path, const struct job *job)
{
    char error[256];
    struct names names;
    struct trace *trace = trace_load(trace_path, error, sizeof error);
    if (!trace)
        return;
    struct table known = {0};
    require(!o->op_count);
    names_open(&names, trace, job);
    for (size_t i = 0; i < trace->count; i++) {
        const struct trace_record *r = &trace->entries[i].record;
        if (r->type == TRACE_EVENT && r->event == o->count && trace_is_scheduled(trace, i))
            outline_add_event(o, op_of(o, &names, &known, i), (uint16_t)r->actor);
    }
    table_free(&known);
    names_close(&names);
    trace_free(trace);
}

void outline_free(struct outline *o)
{
    for (size_t i = 0; i < o->op_count; i++) {
        free(o->ops[i].operation);
        free(o->ops[i].object);
        free(o->ops[i].place);
    }
    free(o->ops);
    free(o->does);
    free(o->actors);
    *o = (struct outline){0};
}

static bool has_name(const char *object)
{
    return *object && strcmp(object, "heap");
}

bool outline_departs(const struct outline *expected, const struct outline *seen, uint32_t *event)
{
    for (uint32_t i = 0; i < expected->count; i++) {
        *event = i;
        if (i >= seen->count || expected->actors[i] != seen->actors[i])
            return true;
        const struct outline_op *a = &expected->ops[expected->does[i]], *b = &seen->ops[seen->does[i]];
        if (strcmp(a->operation, b->operation) ||
            (has_name(a->object) && has_name(b->object) && strcmp(a->object, b->object)))
            return true;
    }
    return false;
}

void outline_phrase(const struct outline *o, uint32_t event, const struct job *job, struct buffer *out)
{
    struct names names;
    if (event >= o->count) {
        buffer_add(out, "the run had ended");
        return;
    }
    const struct outline_op *op = &o->ops[o->does[event]];
    names_open(&names, NULL, job);
    names_thread(&names, o->actors[event], out);
    names_close(&names);
    buffer_add(out, ": %s", op->operation);
    if (*op->object)
        buffer_add(out, " %s", op->object);
    if (*op->place)
        buffer_add(out, " at %s", op->place);
}
