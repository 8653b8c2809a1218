#include "history/value.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"

int64_t value_of_text(struct values *values, const char *text, size_t length)
{
    int64_t word = VALUE_TEXTS + (int64_t)table_add(&values->texts, text, length, NULL);
    require(word < VALUE_INTEGERS);
    return word;
}

int64_t value_of_word(struct values *values, const char *word)
{
    char *end;
    errno = 0;
    long long number = strtoll(word, &end, 10);
    if (*word && !*end && !errno && value_is_integer(number))
        return number;
    if (!strcmp(word, "nil") || !strcmp(word, "null"))
        return VALUE_NIL;
    if (!strcmp(word, "true") || !strcmp(word, "false"))
        return value_of_bool(*word == 't');
    return value_of_text(values, word, strlen(word));
}

const char *value_text(const struct values *values, int64_t word)
{
    if (!values || word < VALUE_TEXTS || word >= VALUE_TEXTS + (int64_t)values->texts.count)
        return NULL;
    return table_text(&values->texts, (uint32_t)(word - VALUE_TEXTS));
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
    table_free(&values->texts);
}
