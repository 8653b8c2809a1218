#include "supervise/declared.h"

#include "report/symbols.h"

bool declared_atomic(const char *program, const struct job *job, const struct bug *race, struct buffer *name)
{
    struct symbols *symbols = symbols_new();
    Dwarf_Die type;
    bool typed = false;
    bool yes = symbols_add(symbols, program, job->base) &&
               symbols_data(symbols, race->address, race->size, name, &type, &typed) && typed && types_is_atomic(&type);
    symbols_free(symbols);
    return yes;
}
