#include "cli/lin_source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/cc.h"
#include "cli/cc_run.h"
#include "report/buffer.h"

struct file {
    const char *path; // as the compiler was given it
    bool read;
    char *text;
    struct statements *statements;
};

struct header {
    char *path;
    struct statements *statements;
};

enum { MOST_HEADERS = 16 };

static struct {
    const struct schedule *origin;
    struct file file[SCHEDULE_WORDS];
    struct header header[MOST_HEADERS]; // that were asked for
    size_t headers;
    char *scratch; // a directory, once there is need for one
    struct lock_source source;
} sources;

static char *read_text(const char *path)
{
    struct buffer text = {0};
    char part[4096];
    FILE *file = fopen(path, "r");
    for (size_t n; file && (n = fread(part, 1, sizeof part, file)) > 0;)
        buffer_append(&text, part, n);
    if (file)
        fclose(file);
    return text.text;
}

static bool make_path(char *path, size_t room, const char *name)
{
    if (!sources.scratch)
        sources.scratch = run_scratch();
    return sources.scratch && (size_t)snprintf(path, room, "%s/%s", sources.scratch, name) < room;
}

static void read_file(struct file *f)
{
    char path[4096];
    f->read = true;
    f->text = read_text(f->path);
    if (!f->text || !make_path(path, sizeof path, "text.i") ||
        cc_preprocess(f->path, (const char *const *)sources.origin->flags, path))
        return;
    char *preprocessed = read_text(path);
    if (preprocessed)
        f->statements = statements_read(preprocessed, f->path);
    free(preprocessed);
}

static struct file *find(const char *name)
{
    struct stat wanted, own;
    if (stat(name, &wanted))
        return NULL;
    for (size_t i = 0; sources.origin->sources[i]; i++) {
        struct file *f = &sources.file[i];
        f->path = sources.origin->sources[i];
        if (stat(f->path, &own) || own.st_dev != wanted.st_dev || own.st_ino != wanted.st_ino)
            continue;
        if (!f->read)
            read_file(f);
        return f;
    }
    return NULL;
}

// Of a header: what the first source that includes it makes of it.
static const struct statements *statements_of_header(const char *name)
{
    char path[4096];
    struct header *h = sources.header;
    for (; h < sources.header + sources.headers; h++)
        if (!strcmp(h->path, name))
            return h->statements;
    if (sources.headers == MOST_HEADERS)
        return NULL;
    *h = (struct header){.path = strdup(name)};
    sources.headers++;
    for (size_t i = 0; h->path && sources.origin->sources[i] && !h->statements; i++) {
        char *text =
            make_path(path, sizeof path, "text.i") &&
                    !cc_preprocess(sources.origin->sources[i], (const char *const *)sources.origin->flags, path)
                ? read_text(path)
                : NULL;
        if (text && strstr(text, name))
            h->statements = statements_read(text, name);
        free(text);
    }
    return h->statements;
}

static const struct statements *statements_of(void *context, const char *name)
{
    (void)context;
    const struct file *f = find(name);
    return f ? f->statements : statements_of_header(name);
}

static const char *text_of(void *context, const char *name)
{
    (void)context;
    const struct file *f = find(name);
    return f ? f->text : NULL;
}

// What the file includes by name stands where it stood.
static bool add_directory(const char *path, char *flag, size_t room)
{
    const char *slash = strrchr(path, '/');
    int n =
        slash ? snprintf(flag, room, "-iquote%.*s", (int)(slash - path + 1), path) : snprintf(flag, room, "-iquote.");
    return n > 0 && (size_t)n < room;
}

static const char *build(void *context, const char *name, const char *text)
{
    (void)context;
    static char path[4096], program[4096];
    char flag[4096];
    const char *list[SCHEDULE_WORDS + 1] = {0}, *flags[SCHEDULE_WORDS + 2] = {0};
    const struct file *f = find(name);
    const char *ending = f ? strrchr(f->path, '.') : NULL;
    snprintf(flag, sizeof flag, "patched%s", ending ? ending : ".c");
    FILE *out = f && make_path(path, sizeof path, flag) && make_path(program, sizeof program, "patched")
                    ? fopen(path, "w")
                    : NULL;
    if (!out)
        return NULL;
    bool written = fputs(text, out) >= 0;
    written &= !fclose(out);
    for (size_t i = 0; sources.origin->sources[i]; i++)
        list[i] = &sources.file[i] == f ? path : sources.origin->sources[i];
    size_t n = 0;
    for (; sources.origin->flags[n]; n++)
        flags[n] = sources.origin->flags[n];
    if (!written || !add_directory(f->path, flag, sizeof flag))
        return NULL;
    flags[n] = flag;
    return cc_build(list, flags, program) ? NULL : program;
}

const struct lock_source *lin_source_open(const struct schedule *origin)
{
    sources.origin = origin;
    sources.source = (struct lock_source){.statements = statements_of, .text = text_of, .build = build};
    return &sources.source;
}

void lin_source_close(void)
{
    for (size_t i = 0; i < SCHEDULE_WORDS; i++) {
        free(sources.file[i].text);
        statements_free(sources.file[i].statements);
        sources.file[i] = (struct file){0};
    }
    for (; sources.headers; sources.headers--) {
        free(sources.header[sources.headers - 1].path);
        statements_free(sources.header[sources.headers - 1].statements);
    }
    if (sources.scratch)
        run_remove(sources.scratch);
    free(sources.scratch);
    sources.scratch = NULL;
}
