#include "build/rebuild.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/strings.h"
#include "build/cc_driver.h"
#include "build/cc_run.h"

static char *read_text(const char *path)
{
    struct buffer text = {0};
    FILE *file = fopen(path, "r");
    if (!file)
        return NULL;
    if (!buffer_add_file(&text, file))
        buffer_free(&text);
    fclose(file);
    return text.text;
}

int rebuild_find(const struct rebuild *rebuild, const char *file)
{
    struct stat wanted, own;
    if (stat(file, &wanted))
        return -1;
    for (int i = 0; rebuild->sources[i]; i++)
        if (!stat(rebuild->sources[i], &own) && own.st_dev == wanted.st_dev && own.st_ino == wanted.st_ino)
            return i;
    return -1;
}

char *rebuild_text(const struct rebuild *rebuild, int source)
{
    return read_text(rebuild->sources[source]);
}

static bool has_scratch(struct rebuild *rebuild)
{
    if (!rebuild->scratch)
        rebuild->scratch = run_scratch();
    return rebuild->scratch != NULL;
}

static char *path_in(const struct rebuild *rebuild, const char *name, const char *ending)
{
    return alloc_format("%s/%s%s", rebuild->scratch, name, ending);
}

char *rebuild_preprocessed(struct rebuild *rebuild, int source)
{
    if (!has_scratch(rebuild))
        return NULL;
    char *path = path_in(rebuild, "text", ".i");
    char *text = cc_preprocess(rebuild->sources[source], rebuild->flags, path) ? NULL : read_text(path);
    free(path);
    return text;
}

static bool write_text(const char *path, const char *text)
{
    FILE *out = fopen(path, "w");
    if (!out)
        return false;
    bool written = fputs(text, out) >= 0;
    return !fclose(out) && written;
}

// What the file includes by name stands where it stood.
static void add_directory(struct strings *flags, const char *path)
{
    const char *slash = strrchr(path, '/');
    if (slash)
        strings_add_format(flags, "-iquote%.*s", (int)(slash - path + 1), path);
    else
        strings_add(flags, "-iquote.");
}

static int build(const struct rebuild *rebuild, int source)
{
    struct strings sources = {0}, flags = {0};
    for (int i = 0; rebuild->sources[i]; i++)
        strings_add(&sources, i == source ? rebuild->changed : rebuild->sources[i]);
    for (size_t i = 0; rebuild->flags[i]; i++)
        strings_add(&flags, rebuild->flags[i]);
    add_directory(&flags, rebuild->sources[source]);
    int status = cc_build((const char *const *)sources.item, (const char *const *)flags.item, rebuild->program);
    strings_free(&sources);
    strings_free(&flags);
    return status;
}

static void forget_paths(struct rebuild *rebuild)
{
    free(rebuild->changed);
    free(rebuild->program);
    rebuild->changed = rebuild->program = NULL;
}

const char *rebuild_with(struct rebuild *rebuild, int source, const char *text)
{
    const char *ending = strrchr(rebuild->sources[source], '.');
    if (!has_scratch(rebuild))
        return NULL;
    forget_paths(rebuild);
    rebuild->changed = path_in(rebuild, "patched", ending ? ending : ".c");
    rebuild->program = path_in(rebuild, "patched", "");
    return write_text(rebuild->changed, text) && !build(rebuild, source) ? rebuild->program : NULL;
}

void rebuild_close(struct rebuild *rebuild)
{
    forget_paths(rebuild);
    if (rebuild->scratch)
        run_remove(rebuild->scratch);
    free(rebuild->scratch);
    *rebuild = (struct rebuild){0};
}
