#include "build/assembly/assembly_lines.h"

#include <ctype.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"

char *lines_copy(const char *text, size_t size)
{
    char *copy = alloc_array(size + 1, 1);
    for (size_t i = 0; i < size; i++)
        copy[i] = text[i] ? text[i] : ' '; // clang shows characters in comments, the null character too
    copy[size] = 0;
    return copy;
}

void lines_each(char *copy, void (*act)(void *context, const char *line, size_t length), void *context)
{
    for (char *next; *copy; copy = next) {
        size_t length = strcspn(copy, "\n");
        next = copy + length + (copy[length] == '\n');
        copy[length] = 0;
        act(context, copy, length);
        if (next > copy + length)
            copy[length] = '\n';
    }
}

bool lines_opens_assembly(const char *line)
{
    line = text_skip_blanks(line);
    return text_begins(line, "#APP") || text_begins(line, "# Start of file scope inline assembly");
}

bool lines_closes_assembly(const char *line)
{
    line = text_skip_blanks(line);
    return text_begins(line, "#NO_APP") || text_begins(line, "# End of file scope inline assembly");
}

static bool is_of_label(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' ||
           c == '$';
}

size_t lines_label(const char *text)
{
    size_t length = 0;
    while (is_of_label(text[length]))
        length++;
    return length && text[length] == ':' && text[length + 1] != ':' ? length + 1 : 0;
}

bool lines_is_directive(const char *text, const char *name)
{
    for (; *name; name++, text++) // mostly the second letter differs
        if (*text != *name)
            return false;
    return !*text || isspace((unsigned char)*text);
}

size_t lines_instruction(const char *text)
{
    size_t length = strcspn(text, "#");
    while (length && isspace((unsigned char)text[length - 1]))
        length--;
    return length;
}
