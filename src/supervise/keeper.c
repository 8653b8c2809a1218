#define _GNU_SOURCE
#include "supervise/keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/time.h"
#include "build/installation.h"

enum { ENOUGH = 1 << 16 }; // words and sources

// A number that changes with the runtime: another may know other operations.
static uint64_t engine_hash(void)
{
    static uint64_t hash;
    struct installation installation;
    char path[PATH_MAX + 32];
    if (!hash && !installation_find(&installation)) {
        snprintf(path, sizeof path, "%s/libheddle.so", installation.runtime_dir);
        save_file_hash(path, &hash);
        hash ^= (sizeof(struct answer) << 32) ^ sizeof(struct lessons);
    }
    return hash;
}

const char *keeper_create(struct keeper *k, const char *directory, int words, char *const *word)
{
    const char *wrong = save_file_create(&k->file, directory);
    if (wrong)
        return wrong;
    if (!realpath(directory, k->directory) || !getcwd(k->where, sizeof k->where)) {
        save_file_close(&k->file);
        return "cannot be found again";
    }
    k->file.directory = k->directory;
    for (int i = 0; i < words; i++)
        strings_add(&k->words, word[i]);
    return NULL;
}

static void add_text(struct buffer *out, const char *text)
{
    buffer_append(out, text, strlen(text) + 1);
}

static void add_number(struct buffer *out, uint64_t number)
{
    char text[24];
    snprintf(text, sizeof text, "%llu", (unsigned long long)number);
    add_text(out, text);
}

// In front of the frontier: texts that end with a null byte.
static void write_origin(const struct keeper *k, struct buffer *out)
{
    add_text(out, k->where);
    add_text(out, k->program);
    add_number(out, k->program_hash);
    add_number(out, k->words.count);
    for (size_t i = 0; i < k->words.count; i++)
        add_text(out, k->words.item[i]);
    add_number(out, k->sources.count);
    for (size_t i = 0; i < k->sources.count; i++) {
        add_text(out, k->sources.item[i]);
        add_number(out, k->source_hash[i]);
    }
}

struct texts {
    const char *at, *end;
};

static const char *next_text(struct texts *t)
{
    const char *text = t->at, *end = text ? memchr(text, 0, (size_t)(t->end - text)) : NULL;
    t->at = end ? end + 1 : NULL;
    return end ? text : "";
}

static uint64_t next_number(struct texts *t)
{
    return strtoull(next_text(t), NULL, 10);
}

static bool read_origin(struct keeper *k, struct texts *t)
{
    snprintf(k->where, sizeof k->where, "%s", next_text(t));
    snprintf(k->program, sizeof k->program, "%s", next_text(t));
    k->program_hash = next_number(t);
    uint64_t words = next_number(t);
    for (uint64_t i = 0; i < words && words < ENOUGH && t->at; i++)
        strings_add(&k->words, next_text(t));
    uint64_t sources = next_number(t);
    k->source_hash = alloc_zeroed(sources < ENOUGH ? sources + 1 : 1, sizeof *k->source_hash);
    for (uint64_t i = 0; i < sources && sources < ENOUGH && t->at; i++) {
        strings_add(&k->sources, next_text(t));
        k->source_hash[i] = next_number(t);
    }
    return t->at && k->words.count == words && k->sources.count == sources && words > 0;
}

const char *keeper_look(struct keeper *k, const char *directory)
{
    struct buffer body = {0};
    const char *wrong = save_file_read(directory, engine_hash(), &body);
    struct texts texts = {body.text, body.text + body.length};
    if (!wrong && (!read_origin(k, &texts) || !saved_read(&k->search, texts.at, (size_t)(texts.end - texts.at))))
        wrong = "is damaged: the file `search` makes no sense";
    buffer_free(&body);
    return wrong;
}

const char *keeper_resume(struct keeper *k, const char *directory)
{
    static char why[PATH_MAX + 64];
    const char *wrong = save_file_open(&k->file, directory);
    if (!wrong)
        wrong = keeper_look(k, directory);
    if (!wrong && !realpath(directory, k->directory))
        wrong = "cannot be found";
    if (!wrong && chdir(k->where)) {
        snprintf(why, sizeof why, "was begun in %s, where nobody can go now: %s", k->where, strerror(errno));
        wrong = why;
    }
    k->file.directory = k->directory;
    k->resumes = !wrong;
    k->saved_at = time_now();
    return wrong;
}

static bool copy_program(const char *from, const char *to)
{
    struct buffer text = {0};
    FILE *file = fopen(from, "r");
    bool good = file && buffer_add_file(&text, file);
    if (file)
        fclose(file);
    int fd = good ? open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0777) : -1;
    good = fd >= 0 && write(fd, text.text, text.length) == (ssize_t)text.length && !fsync(fd);
    if (fd >= 0 && close(fd))
        good = false;
    buffer_free(&text);
    return good;
}

static const char *sentence(const char *format, const char *name)
{
    static char text[PATH_MAX + 128];
    snprintf(text, sizeof text, format, name); // NOLINT: one of those below
    return text;
}

// The path of the program that is kept.
static const char *kept_program(const struct keeper *k)
{
    static char path[PATH_MAX + 16];
    snprintf(path, sizeof path, "%s/program", k->directory);
    return path;
}

const char *keeper_take_program(struct keeper *k, const char **program, char *const *sources)
{
    uint64_t hash;
    if (!save_file_hash(*program, &hash))
        return sentence("%s cannot be read", *program);
    if (k->program_hash) // of when the search began
        return hash == k->program_hash
                   ? NULL
                   : sentence("%s was built anew since the search was saved: begin again with heddle check", *program);
    k->program_hash = hash;
    if (!sources || !*sources) {
        snprintf(k->program, sizeof k->program, "%s", *program);
        return NULL;
    }
    for (size_t i = 0; sources[i]; i++) {
        strings_add(&k->sources, sources[i]);
        k->source_hash = alloc_resize(k->source_hash, i + 1, sizeof *k->source_hash);
        save_file_hash(sources[i], &k->source_hash[i]);
    }
    if (!copy_program(*program, kept_program(k)))
        return sentence("%s cannot be written, and the program is to be kept there", kept_program(k));
    *program = kept_program(k);
    return NULL;
}

const char *keeper_give_program(struct keeper *k, const char **program, char *const *sources)
{
    uint64_t hash;
    size_t i = 0;
    for (; sources[i]; i++) {
        if (i >= k->sources.count || !save_file_hash(sources[i], &hash))
            return sentence("%s cannot be read", sources[i]);
        if (hash != k->source_hash[i])
            return sentence("%s has changed since the search was saved: begin again with heddle check", sources[i]);
    }
    if (!save_file_hash(kept_program(k), &hash) || hash != k->program_hash)
        return sentence("%s is not the program that was searched", kept_program(k));
    *program = kept_program(k);
    return NULL;
}

void keeper_write(struct keeper *k, struct saved_search *search)
{
    if (k->into) {
        buffer_cut(k->into, 0);
        saved_write(search, k->into);
        return;
    }
    struct buffer body = {0};
    search->context = k->context;
    search->context_bytes = k->context_bytes;
    write_origin(k, &body);
    saved_write(search, &body);
    search->context = NULL;
    const char *wrong = save_file_write(&k->file, engine_hash(), &body);
    double now = k->tried_at = time_now();
    buffer_free(&body);
    if (wrong && !k->failing && k->saved_at > 0)
        fprintf(stderr,
                "heddle: the search cannot be saved in %s: %s; it goes on, and what was saved %.0f s ago stays\n",
                k->directory, wrong, now - k->saved_at);
    else if (wrong && !k->failing)
        fprintf(stderr, "heddle: the search cannot be saved in %s: %s; it goes on\n", k->directory, wrong);
    k->failing = wrong != NULL;
    if (!wrong)
        k->saved_at = now;
}

void keeper_give_up(struct keeper *k, const char *why)
{
    if (!k->refused[0] && !k->into)
        fprintf(stderr, "heddle: the search is not saved from here on: %s\n", why);
    snprintf(k->refused, sizeof k->refused, "%s", why);
}

// A directory in which nothing was saved is as it was before.
static void keeper_tidy(const struct keeper *k)
{
    char path[PATH_MAX + 16];
    if (k->file.lock < 0 || !k->directory[0] || k->saved_at > 0)
        return;
    unlink(kept_program(k));
    snprintf(path, sizeof path, "%s/lock", k->directory);
    unlink(path);
    rmdir(k->directory);
}

void keeper_close(struct keeper *k)
{
    keeper_tidy(k);
    saved_free(&k->search);
    strings_free(&k->words);
    strings_free(&k->sources);
    free(k->source_hash);
    free(k->context);
    save_file_close(&k->file);
}
