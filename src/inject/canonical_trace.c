#define _GNU_SOURCE
#include "inject/canonical_trace.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "report/symbols.h"

static const char modules_file[] = "modules";

bool canonical_note_modules(const char *folder, const struct injection_block *block, const char *program)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", folder, modules_file);
    FILE *file = fopen(path, "w");
    if (!file)
        return false;
    for (uint32_t i = 0; i < block->module_count && i < INJECTION_MODULES; i++)
        fprintf(file, "%s\n", *block->module[i] ? block->module[i] : program);
    return fclose(file) == 0;
}

static bool read_modules(struct canonical_trace *t, const char *folder)
{
    char path[PATH_MAX];
    struct buffer line = {0};
    snprintf(path, sizeof path, "%s/%s", folder, modules_file);
    FILE *file = fopen(path, "r");
    if (!file)
        return false;
    while (t->module_count < INJECTION_MODULES && buffer_read_line(&line, file)) {
        if (line.length && line.text[line.length - 1] == '\n')
            line.text[line.length - 1] = 0;
        t->modules[t->module_count++] = alloc_copy(buffer_text(&line));
        buffer_cut(&line, 0);
    }
    buffer_free(&line);
    fclose(file);
    return true;
}

// "T2.1" as a path; 0: it is not the name of a thread.
static uint64_t path_of_name(const char *name)
{
    uint64_t path = injection_path(0, 0);
    if (!strcmp(name, "main"))
        return path;
    if (*name != 'T')
        return 0;
    do {
        char *end;
        unsigned long child = strtoul(++name, &end, 10);
        if (end == name || !child)
            return 0;
        path = injection_path(path, child);
        name = end;
    } while (*name == '.');
    return *name ? 0 : path;
}

static bool read_thread(struct canonical_trace *t, const char *folder, const char *name, uint64_t path)
{
    char file[PATH_MAX];
    struct stat about;
    snprintf(file, sizeof file, "%s/%s", folder, name);
    int fd = open(file, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &about)) {
        if (fd >= 0)
            close(fd);
        return false;
    }
    struct canonical_thread thread = {.name = alloc_copy(name), .path = path, .mapped = (size_t)about.st_size};
    size_t most = thread.mapped / sizeof *thread.records;
    void *bytes = most ? mmap(NULL, thread.mapped, PROT_READ, MAP_SHARED, fd, 0) : NULL;
    close(fd);
    if (bytes == MAP_FAILED) {
        free(thread.name);
        return false;
    }
    thread.records = bytes;
    while (thread.count < most && thread.records[thread.count].what)
        thread.count++;
    t->threads = alloc_grow(t->threads, t->count, &t->room, sizeof *t->threads);
    t->threads[t->count++] = thread;
    return true;
}

static int by_name(const void *left, const void *right)
{
    const struct canonical_thread *a = left, *b = right;
    bool first = !strcmp(a->name, "main"), second = !strcmp(b->name, "main");
    return first != second ? second - first : strverscmp(a->name, b->name);
}

const char *canonical_read(struct canonical_trace *t, const char *folder)
{
    memset(t, 0, sizeof *t);
    DIR *directory = opendir(folder);
    if (!directory)
        return strerror(errno);
    bool good = read_modules(t, folder);
    for (const struct dirent *entry; good && (entry = readdir(directory));) {
        uint64_t path = path_of_name(entry->d_name);
        if (path)
            good = read_thread(t, folder, entry->d_name, path);
    }
    closedir(directory);
    if (!good || !t->count)
        return "it is no canonical trace (heddle inject --trace writes one)";
    qsort(t->threads, t->count, sizeof *t->threads, by_name);
    return NULL;
}

void canonical_free(struct canonical_trace *t)
{
    for (size_t i = 0; i < t->count; i++) {
        free(t->threads[i].name);
        if (t->threads[i].records)
            munmap((void *)(uintptr_t)t->threads[i].records, t->threads[i].mapped);
    }
    for (uint32_t i = 0; i < t->module_count; i++) {
        free(t->modules[i]);
        if (t->symbols[i])
            symbols_free(t->symbols[i]);
    }
    free(t->threads);
    memset(t, 0, sizeof *t);
}

void canonical_remove(const char *folder)
{
    DIR *directory = opendir(folder);
    if (!directory)
        return;
    for (const struct dirent *entry; (entry = readdir(directory));)
        if (entry->d_name[0] != '.')
            unlinkat(dirfd(directory), entry->d_name, 0);
    closedir(directory);
    rmdir(folder);
}

const struct canonical_thread *canonical_find(const struct canonical_trace *t, uint64_t path)
{
    for (size_t i = 0; i < t->count; i++)
        if (t->threads[i].path == path)
            return &t->threads[i];
    return NULL;
}

// ---- words ----

static struct symbols *symbols_of(struct canonical_trace *t, uint32_t module)
{
    if (module >= t->module_count)
        return NULL;
    if (!t->symbols[module]) {
        t->symbols[module] = symbols_new();
        symbols_add(t->symbols[module], t->modules[module], 0);
    }
    return t->symbols[module];
}

static bool place_at(struct canonical_trace *t, uint64_t what, struct symbols_place *place)
{
    struct symbols_place places[8];
    struct symbols *symbols = symbols_of(t, canonical_module_of(what));
    size_t n = symbols ? symbols_places(symbols, canonical_offset_of(what), places, 8) : 0;
    if (n)
        *place = places[0];
    return n > 0;
}

void canonical_place(struct canonical_trace *t, uint64_t what, struct buffer *out)
{
    struct symbols_place place;
    if (!place_at(t, what, &place) || !place.file)
        buffer_add(out, "module %u+0x%" PRIx64, canonical_module_of(what), canonical_offset_of(what));
    else if (place.function)
        buffer_add(out, "%s:%d (%s)", place.file, place.line, place.function);
    else
        buffer_add(out, "%s:%d", place.file, place.line);
}

const char *canonical_function(struct canonical_trace *t, uint64_t what)
{
    struct symbols_place place;
    return place_at(t, what, &place) ? place.function : NULL;
}

// Who has these bits of a path.
static const char *owner_of(const struct canonical_trace *t, uint64_t object)
{
    uint64_t mask = (1 << CANONICAL_PATH_BITS) - 1, bits = object >> 40 & mask;
    for (size_t i = 0; i < t->count; i++)
        if ((t->threads[i].path & mask) == bits)
            return t->threads[i].name;
    return "?";
}

// Whether a value is one: numbers may have these bits, too.
static bool is_name(const struct canonical_trace *t, uint64_t value)
{
    uint32_t module = (uint32_t)(value >> 48 & 0xff);
    if (canonical_kind_of(value) != OBJECT_GLOBAL)
        return *owner_of(t, value) != '?';
    return !(value >> 56 & 0x3f) && (module < t->module_count || module >= CANONICAL_ELSEWHERE);
}

static const char *module_words(uint32_t module)
{
    return module == CANONICAL_HANDLES ? "a thread" : module == CANONICAL_ELSEWHERE ? "something elsewhere" : NULL;
}

void canonical_object(struct canonical_trace *t, uint64_t object, struct buffer *out)
{
    Dwarf_Die type;
    bool typed;
    uint64_t offset = object & ((1 << CANONICAL_OFFSET_BITS) - 1);
    switch (canonical_kind_of(object)) {
    case OBJECT_GLOBAL: {
        const char *words = module_words((uint32_t)(object >> 48 & 0xff));
        struct symbols *symbols = symbols_of(t, (uint32_t)(object >> 48 & 0xff));
        if (words) {
            buffer_add(out, "%s", words);
            break;
        }
        if (!symbols || !symbols_data(symbols, object & ((1ull << 48) - 1), 1, out, &type, &typed))
            buffer_add(out, "global 0x%llx", object & ((1ull << 48) - 1));
        break;
    }
    case OBJECT_HEAP:
        buffer_add(out, "heap %s#%" PRIu64, owner_of(t, object),
                   object >> CANONICAL_OFFSET_BITS & ((1 << CANONICAL_NUMBER_BITS) - 1));
        if (offset)
            buffer_add(out, "+%" PRIu64, offset);
        break;
    case OBJECT_STACK:
        buffer_add(out, "stack %s-0x%llx", owner_of(t, object), object & ((1ull << CANONICAL_FRAME_BITS) - 1));
        break;
    default:
        buffer_add(out, "elsewhere");
    }
}

static const char *const op_names[CANONICAL_OPS] = {"nothing",  "read", "write",  "atomic", "read range", "write range",
                                                    "allocate", "free", "create", "join",   "lock",       "unlock",
                                                    "barrier",  "wait", "signal", "end",    "size",       "fault"};

void canonical_record_words(struct canonical_trace *t, const struct canonical_record *r, struct buffer *out)
{
    enum canonical_op op = canonical_op_of(r->what);
    buffer_add(out, "%s", op < CANONICAL_OPS ? op_names[op] : "?");
    if (r->object) {
        buffer_add(out, " ");
        canonical_object(t, r->object, out);
    }
    bool whole = canonical_size_of(r->what) == 8 && op <= CANONICAL_ATOMIC;
    if (whole && canonical_kind_of(r->value) != OBJECT_ELSEWHERE && is_name(t, r->value)) {
        buffer_add(out, " = &");
        canonical_object(t, r->value, out);
    } else if (op <= CANONICAL_ALLOCATE) {
        buffer_add(out, " = %" PRId64, (int64_t)r->value);
    } else if (op == CANONICAL_CREATE || op == CANONICAL_BARRIER) {
        buffer_add(out, " %" PRIu64, r->value);
    } else if (op == CANONICAL_FAULT && r->value < INJECTION_WAYS) {
        buffer_add(out, " %s", injection_ways[r->value].name);
    } else if (op == CANONICAL_JOIN) {
        const struct canonical_thread *joined = canonical_find(t, r->value);
        buffer_add(out, " %s", joined ? joined->name : "?");
    }
    if (op != CANONICAL_END) {
        buffer_add(out, " at ");
        canonical_place(t, r->what, out);
    }
}
