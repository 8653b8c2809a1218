#include "predict/variable_names.h"

#include <inttypes.h>
#include <string.h>

static void add_offset(uint64_t offset, struct buffer *out)
{
    if (offset)
        buffer_add(out, "+%" PRIu64, offset);
}

static void add_words(const char *text, struct buffer *out)
{
    buffer_add_safe(out, text, strlen(text), false);
}

void place_short(const struct recording *r, uint32_t place, struct buffer *out)
{
    if (place == NOT_RECORDED)
        return;
    const struct recorded_place *p = &r->places[place];
    if (p->file) {
        add_words(p->file, out);
        if (p->line)
            buffer_add(out, ":%u", p->line);
    } else if (p->function) {
        add_words(p->function, out);
    } else if (p->pc) {
        buffer_add(out, "0x%" PRIx64, p->pc);
    }
}

void place_name(const struct recording *r, uint32_t place, struct buffer *out)
{
    place_short(r, place, out);
    if (place != NOT_RECORDED && r->places[place].function && r->places[place].file) {
        buffer_add(out, " (");
        add_words(r->places[place].function, out);
        buffer_add(out, ")");
    }
}

void variable_class_name(const struct recording *r, uint32_t variable, struct buffer *out)
{
    const struct recorded_variable *v = &r->variables[variable];
    const struct recorded_block *b = &r->blocks[v->block];
    if (b->kind == BLOCK_HEAP && b->place != NOT_RECORDED) {
        buffer_add(out, "block of ");
        place_short(r, b->place, out);
    } else {
        add_words(b->name, out);
    }
    add_offset(v->offset, out);
}

void variable_name(const struct recording *r, uint32_t variable, struct buffer *out)
{
    const struct recorded_variable *v = &r->variables[variable];
    add_words(r->blocks[v->block].name, out);
    add_offset(v->offset, out);
}

void object_name(const struct recording *r, uint32_t object, struct buffer *out)
{
    add_words(r->blocks[r->objects[object].block].name, out);
    add_offset(r->objects[object].offset, out);
}
