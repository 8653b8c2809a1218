// What the program calls, and what it is made of.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <string.h>

#include "target/threads/memory/memory_room.h"
#include "target/threads/engine/engine_room.h"
#include "target/threads/library/imports.h"

struct wanted {
    const char *name;
    bool found;
};

static bool calls_compare(const struct import *import, void *context)
{
    struct wanted *wanted = context;
    wanted->found = !strcmp(import->name, wanted->name);
    return wanted->found;
}

bool image_imports(const char *name)
{
    struct wanted wanted = {name, false};
    imports_visit(calls_compare, &wanted);
    return wanted.found;
}

static int look_for_threads(struct dl_phdr_info *info, size_t size, void *result)
{
    static const char *const libraries[] = {"libgomp.so", "libomp.so", "libiomp5.so", "libtbb.so"};
    (void)size;
    const char *slash = strrchr(info->dlpi_name, '/');
    const char *name = slash ? slash + 1 : info->dlpi_name;
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++)
        if (!strncmp(name, libraries[i], strlen(libraries[i])))
            *(const char **)result = name;
    return *(const char **)result != NULL;
}

const char *image_foreign_threads(void)
{
    const char *name = NULL;
    dl_iterate_phdr(look_for_threads, &name);
    return name;
}

bool image_has_foreign_objects(void)
{
    return dlsym(RTLD_DEFAULT, "heddle_foreign_objects") != NULL;
}

bool image_all_writes_known(const char **why)
{
    *why = NULL;
    if (image_has_foreign_objects())
        *why = "objects that were not compiled by heddle cc";
    else if (assembly_writes_unseen())
        *why = "inline assembly";
    return !*why;
}
