#include "report/quote.h"

#include <string.h>

static bool is_plain(const char *name)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789%+,-./:=@_";
    return *name && !name[strspn(name, plain)];
}

void quote_file(struct buffer *out, const char *name)
{
    if (*name == '-')
        buffer_add(out, "./");
    if (is_plain(name)) {
        buffer_add(out, "%s", name);
        return;
    }
    buffer_add(out, "'");
    for (; *name; name++) {
        if (*name == '\'') // cannot stand within quotes
            buffer_add(out, "'\\''");
        else
            buffer_append(out, name, 1);
    }
    buffer_add(out, "'");
}

void quote_print(FILE *out, const char *command, const char *name)
{
    struct buffer file = {0};
    quote_file(&file, name);
    fprintf(out, "%s %s\n", command, buffer_text(&file));
    buffer_free(&file);
}
