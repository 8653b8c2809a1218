#define XXH_INLINE_ALL
#include "build/program_cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/alloc.h"
#include "base/buffer.h"

enum { NAME = 32 }; // of an entry: its key in hexadecimal

static const uint64_t most_bytes = 256ull << 20;

struct header {
    char magic[8];
    uint64_t size; // of the program, which follows
    uint64_t low, high;
};

static const char magic[8] = "hdcache1";

// ---- where ----

// Ours alone: somebody else's programs would be run as if they had been built here.
static bool is_private(const char *folder)
{
    struct stat info;
    return !lstat(folder, &info) && S_ISDIR(info.st_mode) && info.st_uid == geteuid() && !(info.st_mode & 022);
}

static bool make_folder(const char *folder)
{
    return (!mkdir(folder, 0700) || errno == EEXIST) && is_private(folder);
}

static char *default_folder(void)
{
    const char *caches = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (caches && *caches == '/') {
        mkdir(caches, 0700);
        return alloc_format("%s/heddle", caches);
    }
    if (!home || *home != '/')
        return NULL;
    char *parent = alloc_format("%s/.cache", home);
    mkdir(parent, 0700);
    char *folder = alloc_format("%s/heddle", parent);
    free(parent);
    return folder;
}

// The folder, or null. Found once.
static const char *cache_folder(void)
{
    static char *folder;
    static bool looked;
    const char *given = getenv(PROGRAM_CACHE_VARIABLE);
    if (looked)
        return folder;
    looked = true;
    if (given && (!*given || !strcmp(given, "off")))
        return NULL;
    folder = given ? alloc_copy(given) : default_folder();
    if (folder && !make_folder(folder)) {
        free(folder);
        folder = NULL;
    }
    return folder;
}

bool program_cache_is_there(void)
{
    return cache_folder() != NULL;
}

static char *entry_path(const struct program_key *key)
{
    return alloc_format("%s/%016llx%016llx", cache_folder(), (unsigned long long)key->high,
                        (unsigned long long)key->low);
}

// ---- one entry ----

static bool read_file(const char *path, struct buffer *content)
{
    FILE *file = fopen(path, "rb");
    bool read = file && buffer_add_file(content, file);
    if (file)
        fclose(file);
    return read;
}

static struct header header_for(const char *program, size_t size)
{
    XXH128_hash_t sum = XXH3_128bits(program, size);
    struct header header = {.size = size, .low = sum.low64, .high = sum.high64};
    memcpy(header.magic, magic, sizeof magic);
    return header;
}

static bool write_all(int fd, const void *bytes, size_t size)
{
    for (const char *at = bytes; size;) {
        ssize_t written = write(fd, at, size);
        if (written <= 0)
            return false;
        at += written;
        size -= (size_t)written;
    }
    return true;
}

static bool write_program(const char *path, const char *program, size_t size)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0755);
    if (fd < 0)
        return false;
    bool written = write_all(fd, program, size);
    written &= !close(fd);
    if (!written)
        unlink(path);
    return written;
}

bool program_cache_fetch(const struct program_key *key, const char *path)
{
    char *entry = entry_path(key);
    struct buffer content = {0};
    bool whole = read_file(entry, &content) && content.length > sizeof(struct header);
    if (whole) {
        const char *program = content.text + sizeof(struct header);
        size_t size = content.length - sizeof(struct header);
        struct header expected = header_for(program, size);
        whole = !memcmp(&expected, content.text, sizeof expected) && write_program(path, program, size);
        if (whole)
            utimensat(AT_FDCWD, entry, NULL, 0); // it was used
    }
    buffer_free(&content);
    free(entry);
    return whole;
}

// ---- room ----

struct kept {
    char name[NAME + 1];
    struct timespec used;
    uint64_t size;
};

static int by_use(const void *a, const void *b)
{
    const struct timespec *x = &((const struct kept *)a)->used, *y = &((const struct kept *)b)->used;
    if (x->tv_sec != y->tv_sec)
        return x->tv_sec < y->tv_sec ? -1 : 1;
    return (x->tv_nsec > y->tv_nsec) - (x->tv_nsec < y->tv_nsec);
}

// All entries; those that were left half-written by somebody who was killed are removed after a day.
static struct kept *list_entries(DIR *folder, size_t *count, uint64_t *bytes)
{
    enum { DAY = 24 * 60 * 60 };
    struct kept *list = NULL;
    size_t room = 0;
    for (struct dirent *entry; (entry = readdir(folder));) {
        struct stat info;
        if (fstatat(dirfd(folder), entry->d_name, &info, AT_SYMLINK_NOFOLLOW) || !S_ISREG(info.st_mode))
            continue;
        if (strlen(entry->d_name) == NAME) {
            list = alloc_grow(list, *count, &room, sizeof *list);
            struct kept *kept = &list[(*count)++];
            memcpy(kept->name, entry->d_name, NAME + 1);
            kept->used = info.st_mtim;
            kept->size = (uint64_t)info.st_size;
            *bytes += kept->size;
        } else if (!strncmp(entry->d_name, "new-", 4) && info.st_mtim.tv_sec + DAY < time(NULL)) {
            unlinkat(dirfd(folder), entry->d_name, 0);
        }
    }
    return list;
}

static void make_room(void)
{
    DIR *folder = opendir(cache_folder());
    size_t count = 0;
    uint64_t bytes = 0;
    if (!folder)
        return;
    struct kept *list = list_entries(folder, &count, &bytes);
    if (bytes > most_bytes) {
        qsort(list, count, sizeof *list, by_use);
        for (size_t i = 0; i < count && bytes > most_bytes / 4 * 3; i++) {
            unlinkat(dirfd(folder), list[i].name, 0);
            bytes -= list[i].size;
        }
    }
    free(list);
    closedir(folder);
}

// Under its name only when it is whole. What a crash of the machine leaves of it is found damaged.
static bool write_entry(const char *entry, const struct buffer *program)
{
    char *fresh = alloc_format("%s/new-XXXXXX", cache_folder());
    struct header header = header_for(program->text, program->length);
    int fd = mkostemp(fresh, O_CLOEXEC);
    bool written = fd >= 0 && write_all(fd, &header, sizeof header) && write_all(fd, program->text, program->length);
    if (fd >= 0)
        written &= !close(fd);
    written = written && !rename(fresh, entry);
    if (fd >= 0 && !written)
        unlink(fresh);
    free(fresh);
    return written;
}

void program_cache_keep(const struct program_key *key, const char *path)
{
    struct buffer program = {0};
    char *entry = entry_path(key);
    if (read_file(path, &program) && program.length && program.length < most_bytes / 4 && write_entry(entry, &program))
        make_room();
    free(entry);
    buffer_free(&program);
}
