#include "history/spec.h"

#include <stdio.h>
#include <string.h>

#include "history/models.h"

const struct spec *spec_find(const char *name)
{
    static const struct {
        const char *name;
        const struct spec *spec;
    } table[] = {
        {"register", &spec_register}, {"cas-register", &spec_register}, {"set", &spec_set},
        {"queue", &spec_queue},       {"stack", &spec_stack},           {"map", &spec_map},
        {"counter", &spec_counter},   {"mutex", &spec_mutex},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (!strcmp(table[i].name, name))
            return table[i].spec;
    return NULL;
}

static bool among(const char *names, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = names; length && *at;) {
        size_t word = strcspn(at, " ");
        if (word == length && !strncmp(at, name, length))
            return true;
        at += word;
        at += *at == ' ';
    }
    return false;
}

int spec_call_find(const struct spec *spec, const char *name)
{
    for (uint32_t i = 0; i < spec->call_count; i++)
        if (among(spec->calls[i].names, name))
            return (int)i;
    return -1;
}

const char *spec_call_name(const struct spec *spec, uint32_t call, char *out, size_t room)
{
    const char *names = spec->calls[call].names;
    snprintf(out, room, "%.*s", (int)strcspn(names, " "), names);
    return out;
}

bool spec_reads(const struct spec *spec, const struct operation *op)
{
    return spec->reads && spec->reads(spec, op);
}
