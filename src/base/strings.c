#include "base/strings.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"

// Takes over `text`, which malloc gave.
static const char *take_over(struct strings *list, char *text)
{
    list->item = alloc_resize(list->item, list->count + 2, sizeof *list->item);
    list->item[list->count++] = text;
    list->item[list->count] = NULL;
    return text;
}

const char *strings_add(struct strings *list, const char *text)
{
    return take_over(list, alloc_copy(text));
}

const char *strings_add_part(struct strings *list, const char *text, size_t length)
{
    return take_over(list, alloc_copy_part(text, length));
}

const char *strings_add_format(struct strings *list, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = alloc_format_list(format, arguments);
    va_end(arguments);
    return take_over(list, text);
}

void strings_free(struct strings *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->item[i]);
    free(list->item);
    *list = (struct strings){0};
}
