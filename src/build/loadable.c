#include "build/loadable.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "build/cc_run.h"
#include "build/installation.h"

const char *loadable_compiler(void)
{
    const char *compiler = getenv("HEDDLE_CC");
    return compiler && *compiler ? compiler : "gcc";
}

// Whether the word names a library or where libraries are, which has to come behind what needs it.
static bool is_library(const char *word)
{
    return word[0] == '-' && (word[1] == 'l' || word[1] == 'L');
}

// Those that are libraries, or those that are not.
static void add_words(struct strings *command, const char *words, bool libraries)
{
    for (const char *at = words; at && *at;) {
        size_t length = strcspn(at, " \t");
        if (length && is_library(at) == libraries)
            strings_add_part(command, at, length);
        at += length;
        at += strspn(at, " \t");
    }
}

static int compile(const char *source, const struct strings *own, const char *flags, const char *object)
{
    static const char *const fixed[] = {"-O2", "-g", "-shared", "-fPIC"};
    struct strings command = {0};
    struct installation installation;
    if (installation_find(&installation))
        return -1;
    add_words(&command, loadable_compiler(), false);
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        strings_add(&command, fixed[i]);
    for (size_t i = 0; own && i < own->count; i++)
        strings_add(&command, own->item[i]);
    if (installation.include_dir[0]) {
        strings_add(&command, "-idirafter");
        strings_add(&command, installation.include_dir);
    }
    add_words(&command, flags, false);
    strings_add(&command, "-o");
    strings_add(&command, object);
    strings_add(&command, source);
    add_words(&command, flags, true);
    int status = run_wait(&command);
    strings_free(&command);
    return status;
}

const char *loadable_directory(struct loadable *loadable)
{
    if (!loadable->directory)
        loadable->directory = run_scratch();
    return loadable->directory;
}

int loadable_build(struct loadable *loadable, const char *source, const struct strings *own, const char *flags)
{
    if (!loadable_directory(loadable))
        return -1;
    loadable->object = alloc_format("%s/object.so", loadable->directory);
    return compile(source, own, flags, loadable->object);
}

void loadable_remove(struct loadable *loadable)
{
    if (loadable->directory)
        run_remove(loadable->directory);
    free(loadable->directory);
    free(loadable->object);
    *loadable = (struct loadable){0};
}
