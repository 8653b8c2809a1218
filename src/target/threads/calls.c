// Which functions the program calls that heddle does not define: if all of them are known to write nothing of the
// program's, the log of writes is complete and going back needs nothing else.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <string.h>

#include "target/threads/engine.h"
#include "target/threads/assembly.h"
#include "target/threads/image.h"

// They change neither the program's memory nor any state of the C library that the program could notice.
static const char *const harmless[] = {
    "__errno_location", "__ctype_b_loc", "__ctype_tolower_loc", "__ctype_toupper_loc", "__stack_chk_fail",
    "__cxa_finalize", "__gmon_start__", "_ITM_deregisterTMCloneTable", "_ITM_registerTMCloneTable", "abs", "labs",
    "llabs", "atoi", "atol", "atoll", "tolower", "toupper", "isalpha", "isdigit", "isspace", "isalnum", "isupper",
    "islower", "isprint", "ispunct", "isxdigit", "getenv", "sysconf", "getpagesize",
    "__libc_start_main", "ffs", "div", "ldiv", "strerror", "__sched_cpucount",
    "__gxx_personality_v0", "_Unwind_Resume", // part of throwing, which has names of its own
    "__sigsetjmp", "_setjmp", // whoever jumps there calls a function that is not in this list
    // They set what makes no difference to the search.
    "pthread_setconcurrency", "pthread_getconcurrency", "pthread_atfork", "__register_atfork",
    "pthread_setattr_default_np", "__pthread_get_minstack", "__pthread_cleanup_routine", "pthread_kill_other_threads_np",
};

// Defined here, but mostly they go on to the system, or change what the C library keeps: no log has that.
static const char *const passed_on[] = {"syscall", "mmap", "mmap64", "setenv", "unsetenv", "putenv", "clearenv"};

static bool is_passed_on(const char *name)
{
    for (size_t i = 0; i < sizeof passed_on / sizeof *passed_on; i++)
        if (!strcmp(name, passed_on[i]))
            return true;
    return false;
}

static bool is_harmless(const char *name)
{
    for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++)
        if (!strcmp(name, harmless[i]))
            return true;
    return false;
}

static bool is_defined_here(const char *name)
{
    Dl_info here, there;
    void *symbol = dlsym(RTLD_DEFAULT, name);
    return !is_passed_on(name) && symbol && dladdr(&engine, &here) && dladdr(symbol, &there) &&
           here.dli_fbase == there.dli_fbase;
}

static bool is_mathematics(const char *name)
{
    Dl_info there;
    void *symbol = dlsym(RTLD_DEFAULT, name);
    return symbol && dladdr(symbol, &there) && strstr(there.dli_fname, "/libm.so");
}

struct dynamic {
    const ElfW(Sym) *symbols;
    const char *names;
    const ElfW(Rela) *tables[2];
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
        case DT_SYMTAB: d.symbols = (const ElfW(Sym) *)value; break;
        case DT_STRTAB: d.names = (const char *)value; break;
        case DT_JMPREL: d.tables[0] = (const ElfW(Rela) *)value; break;
        case DT_PLTRELSZ: d.sizes[0] = value / sizeof(ElfW(Rela)); break;
        case DT_RELA: d.tables[1] = (const ElfW(Rela) *)value; break;
        case DT_RELASZ: d.sizes[1] = value / sizeof(ElfW(Rela)); break;
        default: break;
        }
    }
    return d;
}

static const char *unknown_call(const struct dl_phdr_info *info, bool *instrumented)
{
    struct dynamic d = read_dynamic(info);
    const char *unknown = NULL;
    for (int table = 0; d.symbols && d.names && table < 2; table++) {
        for (size_t i = 0; d.tables[table] && i < d.sizes[table]; i++) {
            const ElfW(Sym) *symbol = &d.symbols[ELF64_R_SYM(d.tables[table][i].r_info)];
            const char *name = d.names + symbol->st_name;
            if (!strncmp(name, "__tsan_", 7))
                *instrumented = true;
            if (symbol->st_shndx != SHN_UNDEF || ELF64_ST_TYPE(symbol->st_info) == STT_OBJECT || !*name ||
                ELF64_R_TYPE(d.tables[table][i].r_info) == R_X86_64_COPY)
                continue;
            if (!is_harmless(name) && !is_defined_here(name) && !is_mathematics(name) &&
                !(ELF64_ST_BIND(symbol->st_info) == STB_WEAK && !dlsym(RTLD_DEFAULT, name)))
                unknown = name;
        }
    }
    return unknown;
}

static bool is_system_library(const char *path)
{
    static const char *const known[] = {"/libc.so", "/libm.so", "/ld-linux", "/libpthread.so", "/libdl.so", "/librt.so",
                                        "/libgcc_s.so", "linux-vdso", "/libheddle.so"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strstr(path, known[i]))
            return true;
    return false;
}

static int look_at(struct dl_phdr_info *info, size_t size, void *result)
{
    (void)size;
    const char **why = result;
    bool program = !info->dlpi_name[0], instrumented = false;
    if (!program && is_system_library(info->dlpi_name))
        return 0;
    const char *unknown = unknown_call(info, &instrumented);
    if (unknown)
        *why = unknown;
    else if (!program && !instrumented)
        *why = info->dlpi_name;
    return *why != NULL;
}

struct import {
    const char *name;
    bool found;
};

static int look_for(struct dl_phdr_info *info, size_t size, void *result)
{
    (void)size;
    struct import *wanted = result;
    if (info->dlpi_name[0] && is_system_library(info->dlpi_name))
        return 0;
    struct dynamic d = read_dynamic(info);
    for (int table = 0; d.symbols && d.names && table < 2; table++)
        for (size_t i = 0; d.tables[table] && i < d.sizes[table]; i++)
            if (!strcmp(d.names + d.symbols[ELF64_R_SYM(d.tables[table][i].r_info)].st_name, wanted->name))
                wanted->found = true;
    return wanted->found;
}

bool image_imports(const char *name)
{
    struct thread *t = engine.running;
    struct import wanted = {name, false};
    engine.running = NULL; // heddle's own doing
    dl_iterate_phdr(look_for, &wanted);
    engine.running = t;
    return wanted.found;
}

static int look_for_threads(struct dl_phdr_info *info, size_t size, void *result)
{
    static const char *const libraries[] = {"libgomp.so", "libomp.so", "libiomp5.so", "libtbb.so"};
    (void)size;
    const char *slash = strrchr(info->dlpi_name, '/');
    const char *name = slash ? slash + 1 : info->dlpi_name;
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++)
        if (!strncmp(name, libraries[i], strlen(libraries[i])))
            *(const char **)result = name;
    return *(const char **)result != NULL;
}

const char *image_foreign_threads(void)
{
    const char *name = NULL;
    dl_iterate_phdr(look_for_threads, &name);
    return name;
}

bool image_has_foreign_objects(void)
{
    return dlsym(RTLD_DEFAULT, "heddle_foreign_objects") != NULL;
}

bool image_all_calls_known(const char **why)
{
    *why = NULL;
    dl_iterate_phdr(look_at, why);
    if (!*why && image_has_foreign_objects())
        *why = "objects that were not compiled by heddle cc";
    if (!*why && assembly_writes_unseen())
        *why = "inline assembly";
    return !*why;
}
