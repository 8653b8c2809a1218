#include "trace/recording.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"

const struct record_info record_table[RECORD_KINDS] = {
    [RECORD_NONE] = {.name = "none"},
    [RECORD_READ] = {.name = "read", .access = true, .reads = true},
    [RECORD_WRITE] = {.name = "write", .access = true, .writes = true},
    [RECORD_ATOMIC_READ] = {.name = "load", .access = true, .reads = true, .atomic = true},
    [RECORD_ATOMIC_WRITE] = {.name = "store", .access = true, .writes = true, .atomic = true},
    [RECORD_ATOMIC_RMW] = {.name = "rmw", .access = true, .reads = true, .writes = true, .atomic = true},
    [RECORD_LOCK] = {.name = "lock"},
    [RECORD_LOCK_SHARED] = {.name = "rdlock"},
    [RECORD_UNLOCK] = {.name = "unlock"},
    [RECORD_WAIT_BEGIN] = {.name = "wait"},
    [RECORD_WAIT_END] = {.name = "woken"},
    [RECORD_SIGNAL] = {.name = "signal"},
    [RECORD_BROADCAST] = {.name = "broadcast"},
    [RECORD_BARRIER_ENTER] = {.name = "enter"},
    [RECORD_BARRIER_LEAVE] = {.name = "leave"},
    [RECORD_POST] = {.name = "post"},
    [RECORD_TAKE] = {.name = "take"},
    [RECORD_ONCE_BEGIN] = {.name = "once"},
    [RECORD_ONCE_END] = {.name = "once-end"},
    [RECORD_ONCE_PASS] = {.name = "once-pass"},
    [RECORD_CREATE] = {.name = "create"},
    [RECORD_JOIN] = {.name = "join"},
    [RECORD_BEGIN] = {.name = "begin"},
    [RECORD_END] = {.name = "end"},
    [RECORD_ALLOCATE] = {.name = "allocate"},
    [RECORD_RELEASE] = {.name = "release"},
    [RECORD_REGION_BEGIN] = {.name = "region"},
    [RECORD_REGION_END] = {.name = "region-end"},
};

struct recording *recording_new(void)
{
    return alloc_zeroed(1, sizeof(struct recording));
}

static void free_words(char **words)
{
    for (char **word = words; word && *word; word++)
        free(*word);
    free(words);
}

void recording_free(struct recording *r)
{
    if (!r)
        return;
    for (uint32_t t = 0; t < r->thread_count; t++)
        free(r->threads[t].records);
    free_words(r->arguments);
    free_words(r->sources);
    free_words(r->flags);
    free(r->records);
    free(r->threads);
    free(r->blocks);
    free(r->variables);
    free(r->objects);
    free(r->places);
    free(r->values);
    table_free(&r->words);
    table_free(&r->variable_keys);
    table_free(&r->object_keys);
    table_free(&r->place_keys);
    free(r);
}

const char *recording_word(struct recording *r, const char *text)
{
    return text ? table_text(&r->words, table_add_text(&r->words, text, NULL)) : NULL;
}

uint32_t recording_thread(struct recording *r, const char *name, uint32_t parent)
{
    if (r->thread_count > UINT16_MAX)
        return NOT_RECORDED;
    uint32_t number = 0;
    for (uint32_t t = 0; t < r->thread_count; t++)
        number += r->threads[t].parent == parent;
    r->threads = alloc_grow(r->threads, r->thread_count, &r->thread_room, sizeof *r->threads);
    r->threads[r->thread_count] =
        (struct recorded_thread){.name = recording_word(r, name), .parent = parent, .number = number};
    return r->thread_count++;
}

uint32_t recording_block(struct recording *r, const struct recorded_block *block)
{
    r->blocks = alloc_grow(r->blocks, r->block_count, &r->block_room, sizeof *r->blocks);
    struct recorded_block *b = &r->blocks[r->block_count];
    *b = *block;
    b->name = recording_word(r, block->name);
    b->module = recording_word(r, block->module);
    return r->block_count++;
}

uint32_t recording_variable(struct recording *r, uint32_t block, uint64_t offset, uint32_t size)
{
    struct recorded_variable variable = {.block = block, .size = size, .offset = offset};
    bool added;
    uint32_t number = table_add(&r->variable_keys, &variable, sizeof variable, &added);
    if (added) {
        r->variables = alloc_grow(r->variables, number, &r->variable_room, sizeof *r->variables);
        r->variables[number] = variable;
        r->variable_count = number + 1;
    }
    return number;
}

uint32_t recording_object(struct recording *r, enum object_kind kind, uint32_t block, uint64_t offset)
{
    struct {
        uint64_t offset;
        uint32_t block, kind;
    } key = {offset, block, kind};
    bool added;
    uint32_t number = table_add(&r->object_keys, &key, sizeof key, &added);
    if (added) {
        r->objects = alloc_grow(r->objects, number, &r->object_room, sizeof *r->objects);
        r->objects[number] = (struct recorded_object){.kind = kind, .block = block, .offset = offset};
        r->object_count = number + 1;
    }
    return number;
}

uint32_t recording_place(struct recording *r, const struct recorded_place *place)
{
    // Words are the same pointer if they are the same text, so that the bytes of a place are its key.
    struct recorded_place key;
    memset(&key, 0, sizeof key);
    key.function = recording_word(r, place->function);
    key.file = recording_word(r, place->file);
    key.line = place->line;
    key.module = recording_word(r, place->module);
    key.pc = place->pc;
    bool added;
    uint32_t number = table_add(&r->place_keys, &key, sizeof key, &added);
    if (added) {
        r->places = alloc_grow(r->places, number, &r->place_room, sizeof *r->places);
        r->places[number] = key;
        r->place_count = number + 1;
    }
    return number;
}

void recording_add(struct recording *r, struct record record)
{
    require(!r->finished && record.kind > RECORD_NONE && record.kind < RECORD_KINDS && record.thread < r->thread_count);
    require(r->count < NOT_RECORDED - 1);
    r->records = alloc_grow(r->records, r->count, &r->record_room, sizeof *r->records);
    r->records[r->count++] = record;
}

uint32_t recording_values(struct recording *r, struct recorded_values values)
{
    require(r->value_count < NOT_RECORDED - 1);
    r->values = alloc_grow(r->values, r->value_count, &r->value_room, sizeof *r->values);
    r->values[r->value_count++] = values;
    return r->value_count;
}
