#include "build/assembly/assembly_hooks.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

void call_name(const char *operands, char *name, size_t room)
{
    operands += strspn(operands, "* \t");
    snprintf(name, room, "%.*s", (int)strcspn(operands, "@( \t"), operands);
}

uint64_t call_hook_size(const struct machine *m, const char *name)
{
    size_t length = strlen(name);
    if (strstr(name, "_range"))
        return m->reg[MACHINE_RSI].base == SYMBOLIC_NUMBER ? (uint64_t)m->reg[MACHINE_RSI].offset : 0;
    if (strstr(name, "vptr"))
        return 8;
    while (length && isdigit((unsigned char)name[length - 1]))
        length--;
    return strtoul(name + length, NULL, 10);
}

enum call_kind call_kind_of(const char *name)
{
    if (text_begins(name, "__tls_get_addr"))
        return CALL_TLS;
    if (!text_begins(name, "__tsan_") || text_begins(name, "__tsan_atomic"))
        return CALL_OTHER;
    if (text_begins(name, "__tsan_func_entry"))
        return CALL_ENTRY;
    if (strstr(name, "volatile"))
        return CALL_VOLATILE;
    return strstr(name, "read") || strstr(name, "write") || strstr(name, "vptr") || strstr(name, "func_exit")
               ? CALL_HOOK
               : CALL_OTHER;
}
