#include "report/cxx_names.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef char *demangler(const char *name, char *buffer, size_t *size, int *status);

static demangler *find_demangler(void)
{
    static bool looked;
    static demangler *found;
    void *library = looked ? NULL : dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_LOCAL);
    if (library)
        found = (demangler *)(uintptr_t)dlsym(library, "__cxa_demangle");
    looked = true;
    return found;
}

// Where the parameters begin, or the end: the first parenthesis that is not within angle brackets or braces ({lambda()#1}) and
// belongs to no name such as operator() or (anonymous namespace).
static size_t parameters_at(const char *name)
{
    static const char call[] = "operator()", nameless[] = "(anonymous namespace)";
    int depth = 0;
    size_t at = 0;
    while (name[at]) {
        if (!strncmp(name + at, call, sizeof call - 1)) {
            at += sizeof call - 1;
            continue;
        }
        if (!strncmp(name + at, nameless, sizeof nameless - 1)) {
            at += sizeof nameless - 1;
            continue;
        }
        if (name[at] == '(' && depth == 0)
            return at;
        depth += (name[at] == '<' || name[at] == '{') - (name[at] == '>' || name[at] == '}');
        at++;
    }
    return at;
}

static bool put_readable(const char *name, struct buffer *out)
{
    demangler *readable = strncmp(name, "_Z", 2) ? NULL : find_demangler();
    char *found = readable ? readable(name, NULL, NULL, NULL) : NULL;
    if (found)
        buffer_add(out, "%.*s", (int)(strstr(found, "operator<") ? strlen(found) : parameters_at(found)), found);
    bool is_readable = found != NULL;
    free(found);
    return is_readable;
}

// Compilers that take a variable apart number its parts: _ZL5parts.1.
void demangle(const char *name, struct buffer *out)
{
    if (put_readable(name, out))
        return;
    size_t length = strcspn(name, ".");
    struct buffer whole = {0};
    buffer_append(&whole, name, length);
    buffer_add(out, "%s", name[length] && put_readable(buffer_text(&whole), out) ? name + length : name);
    buffer_free(&whole);
}
