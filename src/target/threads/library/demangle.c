#define _GNU_SOURCE
#include "target/threads/library/demangle.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "target/threads/engine/engine_room.h"

typedef char *demangler(const char *name, char *buffer, size_t *size, int *status);

void demangle(const char *name, char *text, size_t size)
{
    struct thread *t = engine.running;
    engine.running = NULL; // heddle's own doing
    demangler *readable = (demangler *)(uintptr_t)dlsym(RTLD_DEFAULT, "__cxa_demangle");
    char *found = readable && !strncmp(name, "_Z", 2) ? readable(name, NULL, NULL, NULL) : NULL;
    snprintf(text, size, "%s", found ? found : name);
    free(found);
    engine.running = t;
}
