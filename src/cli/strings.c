#include "cli/strings.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *need(void *memory)
{
    if (!memory) {
        fputs("heddle: out of memory.\n", stderr);
        exit(2);
    }
    return memory;
}

// Takes over `text`, which malloc gave.
static const char *take(struct strings *list, char *text)
{
    need(text);
    list->item = need(realloc(list->item, (list->count + 2) * sizeof *list->item));
    list->item[list->count++] = text;
    list->item[list->count] = NULL;
    return text;
}

const char *strings_add(struct strings *list, const char *text)
{
    return take(list, strdup(text));
}

const char *strings_add_part(struct strings *list, const char *text, size_t length)
{
    return take(list, strndup(text, length));
}

const char *strings_add_format(struct strings *list, const char *format, ...)
{
    char *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    return take(list, length < 0 ? NULL : text);
}

void strings_free(struct strings *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->item[i]);
    free(list->item);
    *list = (struct strings){0};
}
