#include "cluster/lines.h"

#include "report/symbols.h"

static struct symbols *symbols;

void lines_open(const char *object, uintptr_t base)
{
    symbols = symbols_new();
    if (symbols_add(symbols, object, base))
        return;
    lines_close();
}

void lines_close(void)
{
    if (symbols)
        symbols_free(symbols);
    symbols = NULL;
}

void lines_tell(uintptr_t place, char *text, size_t room)
{
    struct symbols_place found;
    text[0] = 0;
    if (!place || !symbols || !symbols_places(symbols, place, &found, 1) || !found.file || !found.line)
        return;
    snprintf(text, room, " at %s:%d%s%s", found.file, found.line, found.function ? " in " : "",
             found.function ? found.function : "");
}

bool lines_name(uintptr_t address, size_t size, struct buffer *text)
{
    Dwarf_Die type;
    bool typed;
    return symbols && symbols_data(symbols, address, size, text, &type, &typed);
}
