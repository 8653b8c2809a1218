#define XXH_INLINE_ALL
#include "build/cc_key.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/text.h"

struct cc_key {
    XXH3_state_t *state;
};

static void add_bytes(struct cc_key *key, const void *bytes, size_t size)
{
    uint64_t length = size; // so that no two lists of parts look alike
    XXH3_128bits_update(key->state, &length, sizeof length);
    XXH3_128bits_update(key->state, bytes, size);
}

static void add_text(struct cc_key *key, const char *text)
{
    add_bytes(key, text, strlen(text));
}

// A file that is replaced has another time, size or place.
static bool add_stamp(struct cc_key *key, const char *path)
{
    struct stat info;
    if (stat(path, &info))
        return false;
    uint64_t stamp[] = {info.st_dev,
                        info.st_ino,
                        (uint64_t)info.st_size,
                        (uint64_t)info.st_mtim.tv_sec,
                        (uint64_t)info.st_mtim.tv_nsec,
                        (uint64_t)info.st_ctim.tv_sec,
                        (uint64_t)info.st_ctim.tv_nsec};
    add_bytes(key, stamp, sizeof stamp);
    return true;
}

// A program as the shell finds it.
static bool add_program(struct cc_key *key, const char *name)
{
    const char *path = getenv("PATH");
    if (strchr(name, '/'))
        return add_stamp(key, name);
    while (path && *path) {
        size_t length = strcspn(path, ":");
        char *full = alloc_format("%.*s%s%s", (int)length, path, length ? "/" : "", name);
        bool found = !access(full, X_OK) && add_stamp(key, full);
        if (found)
            add_text(key, full);
        free(full);
        if (found)
            return true;
        path += length + (path[length] == ':');
    }
    return false;
}

static bool add_runtime_file(struct cc_key *key, const struct installation *installation, const char *name)
{
    char *path = alloc_format("%s/%s", installation->runtime_dir, name);
    bool there = add_stamp(key, path);
    free(path);
    return there;
}

// Of what a compiler, an assembler and a linker read, the preprocessor sees only the places of headers.
static void add_environment(struct cc_key *key)
{
    static const char *const beginnings[] = {"GCC_",  "COLLECT_", "COMPILER_PATH=",     "LIBRARY_PATH=", "LD_",
                                             "LANG=", "LC_",      "SOURCE_DATE_EPOCH=", "CCC_",          "HEDDLE_CC",
                                             NULL};
    for (char **variable = environ; *variable; variable++)
        for (const char *const *beginning = beginnings; *beginning; beginning++)
            if (text_begins(*variable, *beginning))
                add_text(key, *variable);
}

static bool add_tools(struct cc_key *key, const struct line *line, const struct strings *compiler,
                      const struct installation *installation)
{
    Dl_info library;
    char directory[PATH_MAX];
    for (size_t i = 0; i < compiler->count; i++)
        if (!add_program(key, compiler->item[i]))
            return false;
    if (!getcwd(directory, sizeof directory) || !dladdr((void *)(uintptr_t)&getenv, &library))
        return false;
    add_text(key, directory);
    add_environment(key);
    if (!add_runtime_file(key, installation, "link/libheddle.so"))
        add_text(key, "none");
    return add_program(key, "as") && add_program(key, "ld") && add_stamp(key, library.dli_fname) &&
           add_stamp(key, "/proc/self/exe") && add_runtime_file(key, installation, "libheddle.so") &&
           (!line->openmp || add_runtime_file(key, installation, "libheddle-openmp.a"));
}

static void add_line(struct cc_key *key, const struct line *line)
{
    for (size_t i = 0; i < line->parts; i++) {
        const struct line_part *part = &line->part[i];
        if (part->kind == PART_OUTPUT)
            continue;
        add_text(key, part->text);
        add_text(key, part->argument ? part->argument : "");
    }
}

// ---- what has no key ----

static bool is_library_of_system(const struct line_part *part)
{
    static const char *const libraries[] = {"m", "pthread", "rt", "dl", "c", NULL};
    const char *name = part->argument ? part->argument : part->text + 2;
    if (!text_begins(part->text, "-l"))
        return false;
    for (const char *const *library = libraries; *library; library++)
        if (!strcmp(name, *library))
            return true;
    return false;
}

static bool reads_other_files(const char *flag)
{
    // clang-format off
    static const char *const beginnings[] = {"-fplugin", "-specs", "--specs", "-wrapper", "-B", "-T", "-Wl,", "-Wa,",
                                             "-Xlinker", "-Xassembler", "-Xclang", "-fprofile", "-fauto-profile",
                                             "-fbranch-prob", "-include-pch", "-fmodule", "-g3", "-ggdb3",
                                             "-fcallgraph", "-fdump", "-d", "-fopt-info", "-fstack-usage", "-fsave",
                                             "-ftime", "-fsyntax-only", "-fcompare-debug", "-frandom", "-resource",
                                             "--sysroot", "-isysroot", "-nostdlib", "-L", "-fuse-ld", "-march=native",
                                             "-mtune=native", "-mcpu=native", NULL};
    // clang-format on
    for (const char *const *beginning = beginnings; *beginning; beginning++)
        if (text_begins(flag, *beginning))
            return true;
    return false;
}

static bool part_has_key(const struct line_part *part)
{
    switch (part->kind) {
    case PART_INPUT:
        return false;
    case PART_LINK_FLAG:
        return is_library_of_system(part);
    case PART_SOURCE:
        return strcmp(part->text, "-") != 0 && !part_is_assembler(part);
    case PART_DROPPED:
        return true;
    default:
        return !reads_other_files(part->text);
    }
}

static bool line_has_key(const struct line *line)
{
    if (line->mode != LINE_LINK || !line->sources || !line->output || line->dependencies || line->auxiliary_files ||
        line->shared || line->relocatable)
        return false;
    for (size_t i = 0; i < line->parts; i++)
        if (!part_has_key(&line->part[i]))
            return false;
    return !getenv("DEPENDENCIES_OUTPUT") && !getenv("SUNPRO_DEPENDENCIES");
}

struct cc_key *cc_key_new(const struct line *line, const struct strings *compiler,
                          const struct installation *installation)
{
    if (!line_has_key(line))
        return NULL;
    struct cc_key *key = alloc_zeroed(1, sizeof *key);
    key->state = alloc_checked(XXH3_createState());
    XXH3_128bits_reset(key->state);
    add_line(key, line);
    if (add_tools(key, line, compiler, installation))
        return key;
    cc_key_free(key);
    return NULL;
}

void cc_key_add_command(struct cc_key *key, const struct strings *command, const char *scratch)
{
    for (size_t i = 0; i < command->count; i++)
        add_text(key, strstr(command->item[i], scratch) ? "" : command->item[i]);
}

static bool add_file(struct cc_key *key, const char *path, const char *without_key)
{
    FILE *file = fopen(path, "rb");
    struct buffer content = {0};
    bool known = file && buffer_add_file(&content, file) && content.text &&
                 !(without_key && memmem(content.text, content.length, without_key, strlen(without_key)));
    if (known)
        add_bytes(key, content.text, content.length);
    if (file)
        fclose(file);
    buffer_free(&content);
    return known;
}

bool cc_key_add_source(struct cc_key *key, const char *source, const char *preprocessed)
{
    return add_file(key, source, NULL) && add_file(key, preprocessed, "pch_preprocess") &&
           add_file(key, preprocessed, "incbin");
}

struct program_key cc_key_end(struct cc_key *key)
{
    XXH128_hash_t sum = XXH3_128bits_digest(key->state);
    cc_key_free(key);
    return (struct program_key){sum.low64, sum.high64};
}

void cc_key_free(struct cc_key *key)
{
    if (!key)
        return;
    XXH3_freeState(key->state);
    free(key);
}
