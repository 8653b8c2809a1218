#define _GNU_SOURCE
#include "target/nodes/library.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <string.h>

#include "target/nodes/node_calls.h"

struct wanted {
    const struct library *library;
    uint8_t *start, *end;
    uintptr_t base;
    const uint8_t *code;
    size_t code_size;
    const ElfW(Dyn) * dynamic;
    const ElfW(Sym) * symbols;
    const char *names;
    size_t symbol_count;
    bool has_thread_variables;
};

// The number of symbols, of which only the hash table knows.
static size_t count_symbols(const uint32_t *gnu_hash)
{
    uint32_t buckets = gnu_hash[0], first = gnu_hash[1], bloom = gnu_hash[2], last = 0;
    const uint32_t *bucket = gnu_hash + 4 + (size_t)2 * bloom, *chain = bucket + buckets;
    for (uint32_t i = 0; i < buckets; i++)
        last = bucket[i] > last ? bucket[i] : last;
    if (last < first)
        return first;
    while (!(chain[last - first] & 1))
        last++;
    return last + 1;
}

static void read_dynamic(struct wanted *w, const ElfW(Dyn) * entry)
{
    w->dynamic = entry;
    for (; entry->d_tag != DT_NULL; entry++) {
        void *address = (void *)(uintptr_t)entry->d_un.d_ptr;
        if (entry->d_tag == DT_SYMTAB)
            w->symbols = address;
        else if (entry->d_tag == DT_STRTAB)
            w->names = address;
        else if (entry->d_tag == DT_GNU_HASH)
            w->symbol_count = count_symbols(address);
    }
}

// The writable segment, less what the loader made read-only again.
static int look_at_module(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    struct wanted *w = context;
    uint8_t *base = (uint8_t *)info->dlpi_addr, *read_only = NULL;
    bool is_it = false;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        const uint8_t *start = base + p->p_vaddr;
        is_it |= p->p_type == PT_LOAD && (const uint8_t *)w->library->protocol >= start &&
                 (const uint8_t *)w->library->protocol < start + p->p_memsz;
    }
    if (!is_it)
        return 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        uint8_t *start = base + p->p_vaddr;
        if (p->p_type == PT_LOAD && p->p_flags & PF_X) {
            w->code = start;
            w->code_size = p->p_memsz;
        }
        if (p->p_type == PT_LOAD && p->p_flags & PF_W) {
            w->start = start;
            w->end = start + p->p_memsz;
        } else if (p->p_type == PT_GNU_RELRO) {
            read_only = start + p->p_memsz;
        } else if (p->p_type == PT_TLS) {
            w->has_thread_variables = p->p_memsz;
        } else if (p->p_type == PT_DYNAMIC) {
            read_dynamic(w, (const ElfW(Dyn) *)(void *)start);
        }
    }
    w->base = info->dlpi_addr;
    read_only = (uint8_t *)((uintptr_t)read_only & ~(uintptr_t)4095); // the loader protects whole pages only
    if (read_only > w->start)
        w->start = read_only;
    if (w->start > w->end)
        w->start = w->end;
    return 1;
}

// Looks whether a call of this name comes to heddle.
static bool calls(const struct wanted *w, const char *name)
{
    for (size_t i = 0; i < w->symbol_count; i++)
        if (w->symbols[i].st_shndx == SHN_UNDEF && !strcmp(w->names + w->symbols[i].st_name, name))
            return true;
    return false;
}

// A library that is loaded beside the protocol is there once, not once for each node.
static void find_needed(const struct wanted *w, char *name, size_t room)
{
    static const char *const stateless[] = {"libc.so.", "libm.so.", "libgcc_s.so.", "ld-linux"};
    for (const ElfW(Dyn) *entry = w->dynamic; entry && entry->d_tag != DT_NULL; entry++) {
        const char *needed = w->names + entry->d_un.d_val;
        bool known = entry->d_tag != DT_NEEDED;
        for (size_t i = 0; i < sizeof stateless / sizeof *stateless && !known; i++)
            known = !strncmp(needed, stateless[i], strlen(stateless[i]));
        if (!known && !*name)
            snprintf(name, room, "%s", needed);
    }
}

static bool is_called(const ElfW(Sym) * symbol)
{
    unsigned type = ELF64_ST_TYPE(symbol->st_info);
    return symbol->st_shndx == SHN_UNDEF && (type == STT_FUNC || type == STT_NOTYPE);
}

static const char *find_refused(const struct wanted *w)
{
    static char text[160];
    for (size_t i = 0; i < w->symbol_count; i++) {
        const char *name = w->names + w->symbols[i].st_name;
        const char *instead = is_called(&w->symbols[i]) ? node_call_instead(name) : NULL;
        if (!instead)
            continue;
        snprintf(text, sizeof text, "it calls %s, which heddle cannot take back; use %s", name, instead);
        return text;
    }
    return NULL;
}

// Functions of these libraries keep nothing.
static bool is_calculation(const void *function)
{
    Dl_info info;
    return dladdr(function, &info) && info.dli_fname &&
           (strstr(info.dli_fname, "/libm.so.") || strstr(info.dli_fname, "/libgcc_s.so."));
}

// The first call of which heddle does not know whether it keeps anything.
static void find_unknown(const struct wanted *w, char *unknown, size_t room)
{
    for (size_t i = 0; i < w->symbol_count && !*unknown; i++) {
        const char *name = w->names + w->symbols[i].st_name;
        if (!*name || !is_called(&w->symbols[i]) || node_call_is_stateless(name))
            continue;
        const void *function = dlsym(w->library->handle, name);
        if (function && !is_calculation(function))
            snprintf(unknown, room, "%s", name);
    }
}

// What the build found (build/assembly/assembly_unread.h).
static void find_unread(struct library *library)
{
    const struct unread_table *table = dlsym(library->handle, UNREAD_TABLE);
    if (!table)
        return;
    const uint8_t *first = (const uint8_t *)&table->first + table->first;
    const uint8_t *end = (const uint8_t *)&table->end + table->end;
    library->unread = (const struct unread_bytes *)(const void *)first;
    library->unread_count = (size_t)(end - first) / sizeof *library->unread;
}

static const char *examine(struct library *library)
{
    const struct heddle_protocol *p = library->protocol = dlsym(library->handle, "heddle_protocol");
    struct wanted w = {.library = library};
    if (!p)
        return "it defines no variable heddle_protocol";
    if (!p->boot || !p->message)
        return "its heddle_protocol has no boot or no message";
    if (p->request_count && (!p->request || !p->requests))
        return "its heddle_protocol has requests but nothing that takes them";
    if (p->state_size && !p->report)
        return "its heddle_protocol has a state_size but no report";
    if (p->report && !p->state_size)
        return "its heddle_protocol has a report but no state_size";
    if (p->state_size > 4096)
        return "its states are larger than 4096 bytes; report less";
    if (!dl_iterate_phdr(look_at_module, &w))
        return "its memory cannot be found";
    library->segment = w.start;
    library->segment_size = (size_t)(w.end - w.start);
    library->base = w.base;
    library->asks_time =
        calls(&w, "__wrap_time") || calls(&w, "__wrap_clock_gettime") || calls(&w, "__wrap_gettimeofday");
    library->asks_chance = calls(&w, "__wrap_rand") || calls(&w, "__wrap_random");
    library->asks_choice = calls(&w, "heddle_choose_at");
    library->asks_in_flight = calls(&w, "heddle_in_flight");
    library->asks_qtree = calls(&w, "heddle_qtree_add") || calls(&w, "heddle_qtree_commit");
    find_needed(&w, library->needs, sizeof library->needs);
    find_unknown(&w, library->unknown, sizeof library->unknown);
    find_unread(library);
    library->code = w.code;
    library->code_size = w.code_size;
    if (library->segment_size > 1 << 20)
        return "its global variables take more than 1 MiB; use malloc";
    if (w.has_thread_variables)
        return "it has thread-local variables, which are there once for all nodes; leave out __thread";
    if (library->allocates)
        return "it allocates memory before there are nodes, in a constructor; do that in boot";
    return find_refused(&w);
}

const char *library_load(struct library *library, const char *path)
{
    memset(library, 0, sizeof *library);
    library->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library->handle)
        return dlerror();
    const char *wrong = examine(library);
    if (wrong)
        library_unload(library);
    return wrong;
}

void library_unload(struct library *library)
{
    dlclose(library->handle);
    library->handle = NULL;
}
