#include "lin/value.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"

static uint64_t hash_text(const char *text, size_t length)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (uint8_t)text[i]) * 0x100000001b3u;
    return hash ^ (hash >> 29);
}

static void place(struct values *values, uint32_t index)
{
    size_t at = values->texts[index].hash & (values->slot_count - 1);
    while (values->slots[at])
        at = (at + 1) & (values->slot_count - 1);
    values->slots[at] = index + 1;
}

static void grow(struct values *values)
{
    if (values->count == values->room) {
        values->room = values->room ? values->room * 2 : 16;
        values->texts = reallocarray(values->texts, values->room, sizeof *values->texts);
        require(values->texts);
    }
    if (values->count * 2 < values->slot_count)
        return;
    values->slot_count = values->slot_count ? values->slot_count * 2 : 64;
    free(values->slots);
    values->slots = calloc(values->slot_count, sizeof *values->slots);
    require(values->slots);
    for (size_t i = 0; i < values->count; i++)
        place(values, (uint32_t)i);
}

int64_t value_of_text(struct values *values, const char *text, size_t length)
{
    uint64_t hash = hash_text(text, length);
    grow(values);
    for (size_t at = hash & (values->slot_count - 1); values->slots[at]; at = (at + 1) & (values->slot_count - 1)) {
        const struct value_text *known = &values->texts[values->slots[at] - 1];
        if (known->hash == hash && known->length == length && !memcmp(known->text, text, length))
            return VALUE_TEXTS + values->slots[at] - 1;
    }
    require(VALUE_TEXTS + (int64_t)values->count < VALUE_INTEGERS);
    char *copy = malloc(length + 1);
    require(copy);
    memcpy(copy, text, length);
    copy[length] = 0;
    values->texts[values->count] = (struct value_text){copy, length, hash};
    place(values, (uint32_t)values->count);
    return VALUE_TEXTS + (int64_t)values->count++;
}

const char *value_text(const struct values *values, int64_t word)
{
    if (!values || word < VALUE_TEXTS || word >= VALUE_TEXTS + (int64_t)values->count)
        return NULL;
    return values->texts[word - VALUE_TEXTS].text;
}

const char *value_show(const struct values *values, int64_t word, char *out, size_t room)
{
    const char *text = value_text(values, word);
    if (word == VALUE_NIL || word == VALUE_FALSE || word == VALUE_TRUE)
        snprintf(out, room, "%s", word == VALUE_NIL ? "nil" : word == VALUE_TRUE ? "true" : "false");
    else if (text)
        snprintf(out, room, "%s", text);
    else
        snprintf(out, room, "%lld", (long long)word);
    return out;
}

void values_free(struct values *values)
{
    for (size_t i = 0; i < values->count; i++)
        free(values->texts[i].text);
    free(values->texts);
    free(values->slots);
    *values = (struct values){0};
}
