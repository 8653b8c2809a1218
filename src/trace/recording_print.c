#include "trace/recording_print.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"

struct printer {
    FILE *out;
    const struct recording *r;
    char **block_names; // each its own
    char **place_words; // null where nothing is known
};

// A word of the text form: without what parts words, offsets and sizes.
static void add_word(struct buffer *b, const char *text)
{
    for (; *text; text++)
        buffer_add(b, "%c", isgraph((unsigned char)*text) && !strchr("+:@#", *text) ? *text : '_');
}

// Blocks of one name, such as static variables of two files, are told apart by a number.
static void name_blocks(struct printer *p)
{
    struct table names = {0};
    p->block_names = alloc_zeroed(p->r->block_count + 1, sizeof *p->block_names);
    for (uint32_t i = 0; i < p->r->block_count; i++) {
        struct buffer word = {0};
        bool added;
        add_word(&word, p->r->blocks[i].name);
        size_t length = word.length;
        for (uint32_t n = 2; table_add_text(&names, buffer_text(&word), &added), !added; n++) {
            buffer_cut(&word, length);
            buffer_add(&word, "~%u", n);
        }
        p->block_names[i] = word.text;
    }
    table_free(&names);
}

static void print_location(const struct printer *p, uint32_t block, uint64_t offset, uint32_t size)
{
    fprintf(p->out, " %s", p->block_names[block]);
    if (offset)
        fprintf(p->out, "+%llu", (unsigned long long)offset);
    if (size)
        fprintf(p->out, ":%u", size);
}

static void print_object(const struct printer *p, uint32_t number)
{
    print_location(p, p->r->objects[number].block, p->r->objects[number].offset, 0);
}

static void print_thread(const struct printer *p, uint32_t number)
{
    fprintf(p->out, " %s", p->r->threads[number].name);
}

// VALUE of a read, BEFORE->AFTER of a write.
static void print_values(const struct printer *p, const struct record *e)
{
    const struct recorded_values *v = recording_values_of(p->r, e);
    if (!v || !v->before_known)
        return;
    fprintf(p->out, " %llu", (unsigned long long)v->before);
    if (record_table[e->kind].writes && v->after_known)
        fprintf(p->out, "->%llu", (unsigned long long)v->after);
    else if (record_table[e->kind].writes)
        fprintf(p->out, "->?");
}

static void print_what(const struct printer *p, const struct record *e)
{
    static const char *const regions[] = {
        [REGION_FUNCTION] = "function", [REGION_ROUND] = "round", [REGION_ATOMIC] = "atomic"};
    if (record_table[e->kind].access) {
        const struct recorded_variable *v = &p->r->variables[e->object];
        print_location(p, v->block, v->offset, v->size);
        print_values(p, e);
        return;
    }
    switch ((enum record_kind)e->kind) {
    case RECORD_BEGIN:
    case RECORD_END:
        break;
    case RECORD_CREATE:
    case RECORD_JOIN:
        print_thread(p, e->object);
        break;
    case RECORD_ALLOCATE:
        fprintf(p->out, " %s %llu", p->block_names[e->object], (unsigned long long)p->r->blocks[e->object].size);
        break;
    case RECORD_RELEASE:
        fprintf(p->out, " %s", p->block_names[e->object]);
        break;
    case RECORD_REGION_BEGIN:
    case RECORD_REGION_END:
        fprintf(p->out, " %s", regions[e->object]);
        break;
    case RECORD_WAIT_BEGIN:
    case RECORD_WAIT_END:
        print_object(p, e->object);
        print_object(p, e->other);
        break;
    case RECORD_BARRIER_ENTER:
    case RECORD_BARRIER_LEAVE:
        print_object(p, e->object);
        fprintf(p->out, " %u", e->other);
        break;
    default:
        print_object(p, e->object);
    }
}

static char *place_word(const struct recorded_place *place)
{
    struct buffer word = {0};
    if (place->file) {
        buffer_add(&word, " @");
        add_word(&word, place->file);
        buffer_add(&word, ":%u", place->line);
    } else if (place->module) {
        const char *slash = strrchr(place->module, '/');
        buffer_add(&word, " @");
        add_word(&word, slash ? slash + 1 : place->module);
        buffer_add(&word, ":0");
    }
    if (word.length && place->function) {
        buffer_add(&word, ":");
        add_word(&word, place->function);
    }
    return word.text;
}

static void print_record(const struct printer *p, const struct record *e)
{
    fprintf(p->out, "%s %s", p->r->threads[e->thread].name, record_table[e->kind].name);
    print_what(p, e);
    if (e->flags & RECORD_FAILED)
        fprintf(p->out, " fail");
    if (e->flags & RECORD_TRIED)
        fprintf(p->out, " try");
    if (e->flags & RECORD_ACQUIRE)
        fprintf(p->out, " acquire");
    if (e->flags & RECORD_RELEASES)
        fprintf(p->out, " release");
    if (e->place != NOT_RECORDED && p->place_words[e->place])
        fputs(p->place_words[e->place], p->out);
    fputc('\n', p->out);
}

static void print_head(const struct printer *p)
{
    const struct recording *r = p->r;
    struct buffer words = {0};
    if (r->program) {
        buffer_add(&words, "program ");
        add_word(&words, r->program);
        for (char **a = r->arguments; a && *a; a++) {
            buffer_add(&words, " ");
            add_word(&words, *a);
        }
        fprintf(p->out, "%s\n", words.text);
    }
    buffer_free(&words);
    if (r->cut)
        fprintf(p->out, "cut %s\n", r->cut);
    for (uint32_t i = 0; i < r->object_count; i++)
        if (r->objects[i].kind == OBJECT_SEMAPHORE && r->objects[i].initial) {
            fprintf(p->out, "semaphore");
            print_object(p, i);
            fprintf(p->out, " %u\n", r->objects[i].initial);
        }
}

void recording_print(FILE *out, const struct recording *r)
{
    struct printer p = {.out = out, .r = r};
    name_blocks(&p);
    p.place_words = alloc_zeroed(r->place_count + 1, sizeof *p.place_words);
    for (uint32_t i = 0; i < r->place_count; i++)
        p.place_words[i] = place_word(&r->places[i]);
    print_head(&p);
    for (uint32_t i = 0; i < r->count; i++)
        print_record(&p, &r->records[i]);
    for (uint32_t i = 0; i < r->block_count; i++)
        free(p.block_names[i]);
    for (uint32_t i = 0; i < r->place_count; i++)
        free(p.place_words[i]);
    free(p.block_names);
    free(p.place_words);
}
