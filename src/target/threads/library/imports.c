#define _GNU_SOURCE
#include "target/threads/library/imports.h"

#include <elf.h>
#include <link.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>

#include "base/fail.h"
#include "target/threads/engine/engine_room.h"

struct dynamic {
    const ElfW(Sym) * symbols;
    const char *names;
    const ElfW(Rela) * tables[2];
    size_t sizes[2];
};

static struct dynamic read_dynamic(const struct dl_phdr_info *info)
{
    struct dynamic d = {0};
    const ElfW(Dyn) *entry = NULL;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
            entry = (const ElfW(Dyn) *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
    for (; entry && entry->d_tag != DT_NULL; entry++) {
        uint64_t value = entry->d_un.d_ptr;
        switch (entry->d_tag) {
        case DT_SYMTAB:
            d.symbols = (const ElfW(Sym) *)value;
            break;
        case DT_STRTAB:
            d.names = (const char *)value;
            break;
        case DT_JMPREL:
            d.tables[0] = (const ElfW(Rela) *)value;
            break;
        case DT_PLTRELSZ:
            d.sizes[0] = value / sizeof(ElfW(Rela));
            break;
        case DT_RELA:
            d.tables[1] = (const ElfW(Rela) *)value;
            break;
        case DT_RELASZ:
            d.sizes[1] = value / sizeof(ElfW(Rela));
            break;
        default:
            break;
        }
    }
    return d;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool begins_with_one_of(const char *path, const char *const *names)
{
    for (; *names; names++)
        if (!strncmp(base_name(path), *names, strlen(*names)))
            return true;
    return false;
}

static const char *const c_library[] = {"libc.so",  "libm.so",     "ld-linux",   "libpthread.so", "libdl.so",
                                        "librt.so", "libgcc_s.so", "linux-vdso", "libheddle.so",  NULL};
static const char *const cxx_library[] = {"libstdc++.so", NULL};

bool imports_is_system(const char *name)
{
    return begins_with_one_of(name, c_library) || begins_with_one_of(name, cxx_library);
}

typedef bool relocation_visitor(const struct dl_phdr_info *, const struct dynamic *, const ElfW(Rela) *, void *);

static bool each_relocation(const struct dl_phdr_info *info, relocation_visitor *visit, void *context)
{
    struct dynamic d = read_dynamic(info);
    for (int table = 0; d.symbols && d.names && table < 2; table++)
        for (size_t i = 0; d.tables[table] && i < d.sizes[table]; i++)
            if (visit(info, &d, &d.tables[table][i], context))
                return true;
    return false;
}

static const ElfW(Sym) * symbol_of(const struct dynamic *d, const ElfW(Rela) * r)
{
    return &d->symbols[ELF64_R_SYM(r->r_info)];
}

static bool is_hook(const struct dl_phdr_info *info, const struct dynamic *d, const ElfW(Rela) * r, void *none)
{
    (void)info;
    (void)none;
    return !strncmp(d->names + symbol_of(d, r)->st_name, "__tsan_", 7);
}

// The runtime itself, which may refer to its own hooks.
static bool is_own(const struct dl_phdr_info *info)
{
    uint64_t here = (uint64_t)(uintptr_t)imports_has_hooks;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *h = &info->dlpi_phdr[i];
        if (h->p_type == PT_LOAD && here - (info->dlpi_addr + h->p_vaddr) < h->p_memsz)
            return true;
    }
    return false;
}

bool imports_has_hooks(const struct dl_phdr_info *info)
{
    return !info->dlpi_name[0] || (!is_own(info) && each_relocation(info, is_hook, NULL));
}

struct visit {
    bool (*visit)(const struct import *, void *);
    void *context;
    bool foreign;
};

enum { PAGE = 4096 };

// The linker makes whole pages read-only.
static bool is_sealed(const struct dl_phdr_info *info, uint64_t offset)
{
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *h = &info->dlpi_phdr[i];
        if (h->p_type == PT_GNU_RELRO && offset >= h->p_vaddr &&
            offset < ((h->p_vaddr + h->p_memsz) & ~(uint64_t)(PAGE - 1)))
            return true;
    }
    return false;
}

static bool visit_import(const struct dl_phdr_info *info, const struct dynamic *d, const ElfW(Rela) * r, void *context)
{
    const struct visit *v = context;
    const ElfW(Sym) *symbol = symbol_of(d, r);
    const char *name = d->names + symbol->st_name;
    uint32_t kind = ELF64_R_TYPE(r->r_info);
    bool holds_address = kind == R_X86_64_JUMP_SLOT || kind == R_X86_64_GLOB_DAT || kind == R_X86_64_64;
    if (symbol->st_shndx != SHN_UNDEF || ELF64_ST_TYPE(symbol->st_info) == STT_OBJECT || !*name || !holds_address)
        return false;
    struct import import = {.name = name,
                            .slot = (uint64_t *)(info->dlpi_addr + r->r_offset),
                            .sealed = is_sealed(info, r->r_offset),
                            .foreign = v->foreign};
    return (*import.slot || ELF64_ST_BIND(symbol->st_info) != STB_WEAK) && v->visit(&import, v->context);
}

static int visit_module(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    struct visit *v = context;
    if (info->dlpi_name[0] && begins_with_one_of(info->dlpi_name, c_library))
        return 0;
    v->foreign = !imports_has_hooks(info);
    return each_relocation(info, visit_import, v);
}

void imports_visit(bool (*visit)(const struct import *, void *), void *context)
{
    struct thread *t = engine.running;
    struct visit v = {.visit = visit, .context = context};
    engine.running = NULL; // heddle's own doing
    dl_iterate_phdr(visit_module, &v);
    engine.running = t;
}

// ---- tables of the C++ library ----

static void protect_sealed(const struct dl_phdr_info *info, int protection)
{
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *h = &info->dlpi_phdr[i];
        uint64_t start = h->p_vaddr & ~(uint64_t)(PAGE - 1), end = (h->p_vaddr + h->p_memsz) & ~(uint64_t)(PAGE - 1);
        if (h->p_type == PT_GNU_RELRO && end > start)
            require(!mprotect((char *)info->dlpi_addr + start, end - start, protection));
    }
}

static bool is_code_of(const struct dl_phdr_info *info, uint64_t address)
{
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *h = &info->dlpi_phdr[i];
        if (h->p_type == PT_LOAD && h->p_flags & PF_X && address - (info->dlpi_addr + h->p_vaddr) < h->p_memsz)
            return true;
    }
    return false;
}

struct table_visit {
    void (*visit)(const struct import *);
    relocation_visitor *find; // what to visit of a module
    bool of_library;          // of the C++ library, or else of all others
};

// The exported table of virtual functions that has this place.
static const char *table_at(const struct dynamic *d, uint64_t offset)
{
    const ElfW(Sym) *end = (const ElfW(Sym) *)d->names; // the names stand behind the symbols
    for (const ElfW(Sym) *symbol = d->symbols; symbol < end; symbol++)
        if (offset - symbol->st_value < symbol->st_size && !strncmp(d->names + symbol->st_name, "_ZTV", 4))
            return d->names + symbol->st_name;
    return NULL;
}

static bool visit_table(const struct dl_phdr_info *info, const struct dynamic *d, const ElfW(Rela) * r, void *context)
{
    const struct table_visit *v = context;
    const ElfW(Sym) *symbol = symbol_of(d, r);
    uint32_t kind = ELF64_R_TYPE(r->r_info);
    uint64_t *slot = (uint64_t *)(info->dlpi_addr + r->r_offset);
    const char *name = NULL;
    if ((kind != R_X86_64_64 && kind != R_X86_64_RELATIVE) || !is_code_of(info, *slot))
        return false;
    if (kind == R_X86_64_RELATIVE)
        name = table_at(d, r->r_offset);
    else if (ELF64_ST_TYPE(symbol->st_info) == STT_FUNC)
        name = d->names + symbol->st_name;
    if (name)
        v->visit(&(struct import){.name = name, .slot = slot});
    return false;
}

// The library compares what a table has with its own function, to call that directly: both have to change.
static bool visit_compared(const struct dl_phdr_info *info, const struct dynamic *d, const ElfW(Rela) * r,
                           void *context)
{
    const struct table_visit *v = context;
    uint64_t *slot = (uint64_t *)(info->dlpi_addr + r->r_offset);
    if (ELF64_R_TYPE(r->r_info) == R_X86_64_GLOB_DAT && ELF64_ST_TYPE(symbol_of(d, r)->st_info) == STT_FUNC)
        v->visit(&(struct import){.slot = slot});
    return false;
}

static bool visit_copy(const struct dl_phdr_info *info, const struct dynamic *d, const ElfW(Rela) * r, void *context)
{
    const struct table_visit *v = context;
    const ElfW(Sym) *symbol = symbol_of(d, r);
    uint64_t *slot = (uint64_t *)(info->dlpi_addr + r->r_offset);
    if (ELF64_R_TYPE(r->r_info) == R_X86_64_COPY && !strncmp(d->names + symbol->st_name, "_ZTV", 4))
        for (size_t i = 0; i < symbol->st_size / sizeof *slot; i++)
            v->visit(&(struct import){.slot = &slot[i]});
    return false;
}

static int visit_tables_of(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    struct table_visit *v = context;
    if (begins_with_one_of(info->dlpi_name, cxx_library) != v->of_library ||
        begins_with_one_of(info->dlpi_name, c_library))
        return 0;
    protect_sealed(info, PROT_READ | PROT_WRITE);
    each_relocation(info, v->find, v);
    protect_sealed(info, PROT_READ);
    return 0;
}

void imports_visit_tables(void (*visit)(const struct import *))
{
    struct thread *t = engine.running;
    engine.running = NULL; // heddle's own doing
    dl_iterate_phdr(visit_tables_of, &(struct table_visit){visit, visit_table, true});
    dl_iterate_phdr(visit_tables_of, &(struct table_visit){visit, visit_compared, true});
    dl_iterate_phdr(visit_tables_of, &(struct table_visit){visit, visit_copy, false});
    engine.running = t;
}

struct search {
    uint64_t address;
    const char *library;
    enum home home;
};

static int imports_look_into(struct dl_phdr_info *info, size_t size, void *result)
{
    (void)size;
    struct search *s = result;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *h = &info->dlpi_phdr[i];
        uint64_t start = info->dlpi_addr + h->p_vaddr;
        if (h->p_type != PT_LOAD || s->address < start || s->address >= start + h->p_memsz)
            continue;
        s->library = base_name(info->dlpi_name);
        s->home = h->p_flags & PF_X ? HOME_OTHER : HOME_DATA;
        if (s->home == HOME_DATA)
            return 1;
        if (!strncmp(s->library, "libheddle.so", 12))
            s->home = HOME_HEDDLE;
        else if (imports_is_system(s->library))
            s->home = HOME_SYSTEM;
        else if (imports_has_hooks(info))
            s->home = HOME_PROGRAM;
        return 1;
    }
    return 0;
}

enum home home_of(uint64_t address, const char **library)
{
    struct search s = {.address = address, .library = "", .home = HOME_OTHER};
    dl_iterate_phdr(imports_look_into, &s);
    *library = s.library;
    return s.home;
}
