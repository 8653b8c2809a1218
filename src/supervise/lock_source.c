#include "supervise/lock_source.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "build/rebuild.h"

struct source_file {
    bool read;
    char *text;
    struct c_tokens *statements;
};

struct header_file {
    char *path;
    struct c_tokens *statements;
};

enum { MOST_HEADERS = 16 };

static struct {
    struct rebuild rebuild;
    struct source_file file[SCHEDULE_WORDS]; // as the compiler was given them
    struct header_file header[MOST_HEADERS]; // that were asked for
    size_t headers;
    struct lock_source source;
} sources;

static void read_source(struct source_file *f, int number)
{
    f->read = true;
    f->text = rebuild_text(&sources.rebuild, number);
    char *preprocessed = f->text ? rebuild_preprocessed(&sources.rebuild, number) : NULL;
    if (preprocessed)
        f->statements = c_tokens_read(preprocessed, sources.rebuild.sources[number], false);
    free(preprocessed);
}

static const struct source_file *find_source(const char *name)
{
    int number = rebuild_find(&sources.rebuild, name);
    if (number < 0)
        return NULL;
    struct source_file *f = &sources.file[number];
    if (!f->read)
        read_source(f, number);
    return f;
}

// Of a header: what the first source that includes it makes of it.
static const struct c_tokens *statements_of_header(const char *name)
{
    struct header_file *h = sources.header;
    for (; h < sources.header + sources.headers; h++)
        if (!strcmp(h->path, name))
            return h->statements;
    if (sources.headers == MOST_HEADERS)
        return NULL;
    *h = (struct header_file){.path = alloc_copy(name)};
    sources.headers++;
    for (int i = 0; sources.rebuild.sources[i] && !h->statements; i++) {
        char *text = rebuild_preprocessed(&sources.rebuild, i);
        if (text && strstr(text, name))
            h->statements = c_tokens_read(text, name, false);
        free(text);
    }
    return h->statements;
}

static const struct c_tokens *statements_of(void *context, const char *name)
{
    (void)context;
    const struct source_file *f = find_source(name);
    return f ? f->statements : statements_of_header(name);
}

static const char *text_of(void *context, const char *name)
{
    (void)context;
    const struct source_file *f = find_source(name);
    return f ? f->text : NULL;
}

static const char *build_with(void *context, const char *name, const char *text)
{
    (void)context;
    int number = rebuild_find(&sources.rebuild, name);
    return number < 0 ? NULL : rebuild_with(&sources.rebuild, number, text);
}

const struct lock_source *lock_source_open(const struct schedule *origin)
{
    sources.rebuild =
        (struct rebuild){.sources = (const char *const *)origin->sources, .flags = (const char *const *)origin->flags};
    sources.source = (struct lock_source){.statements = statements_of, .text = text_of, .build = build_with};
    return &sources.source;
}

void lock_source_close(void)
{
    for (size_t i = 0; i < SCHEDULE_WORDS; i++) {
        free(sources.file[i].text);
        c_tokens_free(sources.file[i].statements);
        sources.file[i] = (struct source_file){0};
    }
    for (; sources.headers; sources.headers--) {
        free(sources.header[sources.headers - 1].path);
        c_tokens_free(sources.header[sources.headers - 1].statements);
    }
    rebuild_close(&sources.rebuild);
}
