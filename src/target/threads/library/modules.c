#define _GNU_SOURCE
#include "target/threads/library/modules.h"

#include <elf.h>
#include <link.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "base/mem.h"
#include "base/raw.h"
#include "target/threads/memory/memory_room.h"
#include "target/threads/library/early.h"
#include "target/threads/engine/engine_room.h"
#include "target/threads/library/exits.h"
#include "target/threads/library/imports.h"
#include "target/threads/library/opened.h"
#include "target/threads/libc/libc_room.h"

enum { MODULES = 256, PAGE = 4096 };

static struct module {
    const char *name; // by which others need it
    uint64_t base;
    const ElfW(Dyn) * dynamic;
    const char *strings;
    bool followed; // its constructors are part of the execution
    bool visited;  // when modules are put into order
    constructor *init, **inits;
    module_destructor *fini, **finis;
    size_t init_count, fini_count;
} modules[MODULES];
static int module_count;
static struct module *order[MODULES]; // those that are followed, each after what it needs
static int order_count;

// What the first thread runs before main, and whoever ends the process runs at the end.
static constructor **constructors;
static module_destructor **destructors;
static size_t constructor_count, destructor_count;
static size_t of_libraries; // constructors that come before the program's own
static size_t of_program;   // destructors that come before those of libraries

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static const ElfW(Dyn) * dynamic_of(const struct dl_phdr_info *info)
{
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
            return (const ElfW(Dyn) *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
    return NULL;
}

static void read_entry(struct module *m, const ElfW(Dyn) * entry)
{
    uint64_t value = entry->d_un.d_val, address = m->base + value;
    switch (entry->d_tag) {
    case DT_INIT:
        m->init = (constructor *)address;
        break;
    case DT_FINI:
        m->fini = (module_destructor *)address;
        break;
    case DT_INIT_ARRAY:
        m->inits = (constructor **)address;
        break;
    case DT_FINI_ARRAY:
        m->finis = (module_destructor **)address;
        break;
    case DT_INIT_ARRAYSZ:
        m->init_count = value / sizeof *m->inits;
        break;
    case DT_FINI_ARRAYSZ:
        m->fini_count = value / sizeof *m->finis;
        break;
    case DT_STRTAB:
        m->strings = (const char *)value;
        break;
    default:
        break;
    }
}

static void read_dynamic(struct module *m)
{
    for (const ElfW(Dyn) *entry = m->dynamic; entry && entry->d_tag != DT_NULL; entry++)
        read_entry(m, entry);
    for (const ElfW(Dyn) *entry = m->dynamic; entry && entry->d_tag != DT_NULL; entry++)
        if (entry->d_tag == DT_SONAME && m->strings)
            m->name = m->strings + entry->d_un.d_val;
}

static int add_module(struct dl_phdr_info *info, size_t size, void *none)
{
    (void)size;
    (void)none;
    if (module_count == MODULES || !strncmp(info->dlpi_name, "linux-vdso", 10))
        return 0;
    struct module *m = &modules[module_count++];
    m->name = base_name(info->dlpi_name);
    m->base = info->dlpi_addr;
    m->dynamic = dynamic_of(info);
    m->followed = imports_has_hooks(info);
    read_dynamic(m);
    return 0;
}

static void do_nothing(int argc, char **argv, char **envp)
{
    (void)argc;
    (void)argv;
    (void)envp;
}

// The linker has made the table read-only by now.
static void change_entry(const ElfW(Dyn) * entry, uint64_t value)
{
    uint64_t place = (uint64_t)(uintptr_t)&entry->d_un, page = place & ~(uint64_t)(PAGE - 1);
    raw_call(SYS_mprotect, (long)page, PAGE, PROT_READ | PROT_WRITE);
    *(uint64_t *)place = value;
}

static void hold_back(const struct module *m)
{
    for (const ElfW(Dyn) *entry = m->dynamic; entry && entry->d_tag != DT_NULL; entry++) {
        if (entry->d_tag == DT_INIT_ARRAYSZ)
            change_entry(entry, 0);
        if (entry->d_tag == DT_INIT)
            change_entry(entry, (uint64_t)(uintptr_t)do_nothing - m->base);
    }
}

// The dynamic linker runs this before the constructors of whatever needs heddle's runtime. It has yet to look at what the
// tables of those say. The program's own are the C library's business (worker/start.c).
static __attribute__((constructor)) void hold_constructors_back(void)
{
    if (!early_is_controlled())
        return;
    dl_iterate_phdr(add_module, NULL);
    for (int i = 1; i < module_count; i++)
        if (modules[i].followed)
            hold_back(&modules[i]);
}

static struct module *find_module(const char *name)
{
    for (int i = 1; i < module_count; i++)
        if (!strcmp(modules[i].name, name))
            return &modules[i];
    return NULL;
}

static void put_in_order(struct module *m)
{
    if (!m || m->visited)
        return;
    m->visited = true;
    for (const ElfW(Dyn) *entry = m->dynamic; entry && entry->d_tag != DT_NULL; entry++)
        if (entry->d_tag == DT_NEEDED && m->strings)
            put_in_order(find_module(m->strings + entry->d_un.d_val));
    if (m->followed)
        order[order_count++] = m;
}

static int32_t distance_at(const uint8_t *code)
{
    int32_t distance;
    __builtin_memcpy(&distance, code, sizeof distance);
    return distance;
}

static const uint8_t *skip_landing(const void *function)
{
    static const uint8_t landing[] = {0xf3, 0x0f, 0x1e, 0xfa}; // endbr64
    const uint8_t *code = function;
    return plain_differ(code, landing, sizeof landing) == sizeof landing ? code + sizeof landing : code;
}

// Units have constructors that tell heddle of their inline assembly, variables and reads: `lea unit(%rip), %rdi` and a jump by
// way of a slot.
static bool tells_of_unit(const void *function)
{
    const uint8_t *code = function;
    bool tells = code[0] == 0x48 && code[1] == 0x8d && code[2] == 0x3d && code[7] == 0xff && code[8] == 0x25;
    uintptr_t whom = tells ? *(const uintptr_t *)(code + 13 + distance_at(code + 9)) : 0;
    return tells && (whom == (uintptr_t)__heddle_asm_unit || whom == (uintptr_t)__heddle_globals ||
                     whom == (uintptr_t)__heddle_defined);
}

// Where a jump by way of a slot leads, as libraries have it in front of functions of others; else the function itself.
static const uint8_t *follow_jump(const uint8_t *code)
{
    static const uint8_t landing[] = {0xf3, 0x0f, 0x1e, 0xfa}; // endbr64
    const uint8_t *at = code;
    if (plain_differ(at, landing, sizeof landing) == sizeof landing)
        at += sizeof landing;
    at += *at == 0xf2;
    return at[0] == 0xff && at[1] == 0x25 ? *(const uint8_t *const *)(at + 6 + distance_at(at + 2)) : code;
}

// Each unit has a constructor that calls __tsan_init and does nothing else.
static bool starts_sanitizer(const uint8_t *code)
{
    static const struct {
        uint8_t size, code[4];
    } prologues[] = {{1, {0x55}}, {3, {0x48, 0x89, 0xe5}}, {1, {0x50}}, {4, {0x48, 0x83, 0xec, 0x08}}};
    const uint8_t *hook =
        dlsym(RTLD_DEFAULT, "__tsan_init"); // named, it would make a library with hooks of the runtime
    code = skip_landing(code);
    for (size_t i = 0; i < sizeof prologues / sizeof *prologues; i++)
        if (plain_differ(code, prologues[i].code, prologues[i].size) == prologues[i].size)
            code += prologues[i].size;
    return (code[0] == 0xe8 || code[0] == 0xe9) && follow_jump(code + 5 + distance_at(code + 1)) == hook;
}

// As the one does that each module has from the compiler.
static bool only_jumps(const uint8_t *code)
{
    static const uint8_t begins[] = {0xf3, 0x0f, 0x1e, 0xfa, 0xe9};
    return plain_differ(code, begins, sizeof begins) == sizeof begins;
}

// The compiler's own part of each module has a destructor without hooks that notes in a byte that it has run. It begins with
// `cmpb $0, byte(%rip)`. In a program it does nothing else; in a library it runs what that one has registered.
static void *note_of(const void *function)
{
    const uint8_t *code = skip_landing(function);
    bool compares = code[0] == 0x80 && code[1] == 0x3d && !code[6];
    return compares ? (void *)((uintptr_t)(code + 7 + distance_at(code + 2)) & ~(uintptr_t)7) : NULL;
}

// `sub $8, %rsp; add $8, %rsp; ret`, which every module has where it has nothing better.
static bool is_empty(const void *function)
{
    static const uint8_t nothing[] = {0x48, 0x83, 0xec, 0x08, 0x48, 0x83, 0xc4, 0x08, 0xc3};
    return plain_differ(skip_landing(function), nothing, sizeof nothing) == sizeof nothing;
}

static bool is_function(const void *entry)
{
    return entry && entry != (void *)(intptr_t)-1; // which some linkers put at the ends
}

// What every module has as `_init`: it calls __gmon_start__ if that is anywhere.
static bool is_usual_init(const void *function)
{
    static const uint8_t begins[] = {0x48, 0x83, 0xec, 0x08, 0x48, 0x8b, 0x05};
    static const uint8_t ends[] = {0x48, 0x85, 0xc0, 0x74, 0x02, 0xff, 0xd0, 0x48, 0x83, 0xc4, 0x08, 0xc3};
    const uint8_t *code = skip_landing(function), *rest = code + sizeof begins + sizeof(int32_t);
    return is_empty(function) || (plain_differ(code, begins, sizeof begins) == sizeof begins &&
                                  plain_differ(rest, ends, sizeof ends) == sizeof ends);
}

bool modules_is_sanitizer(const void *entry)
{
    return is_function(entry) && starts_sanitizer(entry);
}

bool modules_is_compilers(const void *entry)
{
    return !is_function(entry) || tells_of_unit(entry) || starts_sanitizer(entry) || only_jumps(entry);
}

bool modules_know(uint64_t base)
{
    for (int i = 0; i < module_count; i++)
        if (modules[i].base == base)
            return true;
    return false;
}

struct module_ends modules_ends(uint64_t base, const void *dynamic)
{
    struct module m = {.base = base, .dynamic = dynamic};
    read_dynamic(&m);
    return (struct module_ends){m.inits,      m.finis,      m.fini,
                                m.init_count, m.fini_count, m.init && !is_usual_init((void *)(uintptr_t)m.init)};
}

static void run_destructor(module_destructor *function)
{
    void *note = note_of((void *)(uintptr_t)function);
    if (note)
        undo_save_word(&engine.undo, note);
    function();
}

bool modules_has_destructors(const struct module_ends *ends)
{
    bool some = ends->fini && !is_empty((void *)(uintptr_t)ends->fini);
    for (size_t i = 0; i < ends->fini_count; i++)
        some |= is_function((void *)(uintptr_t)ends->finis[i]) && !note_of((void *)(uintptr_t)ends->finis[i]);
    return some;
}

void modules_run_destructors(const struct module_ends *ends)
{
    for (size_t i = ends->fini_count; i-- > 0;)
        if (is_function((void *)(uintptr_t)ends->finis[i]))
            run_destructor(ends->finis[i]);
    if (ends->fini && !is_empty((void *)(uintptr_t)ends->fini))
        ends->fini();
}

// The notes about units have to be known before the search begins, and are written only once.
static void add_constructors(const struct module *m)
{
    if (m->init)
        constructors[constructor_count++] = m->init;
    for (size_t i = 0; i < m->init_count; i++) {
        const void *entry = (void *)(uintptr_t)m->inits[i];
        if (is_function(entry) && tells_of_unit(entry))
            m->inits[i](0, NULL, NULL);
        else if (is_function(entry))
            constructors[constructor_count++] = m->inits[i];
    }
}

static void add_destructors(const struct module *m)
{
    for (size_t i = m->fini_count; i-- > 0;) {
        const void *entry = (void *)(uintptr_t)m->finis[i];
        if (is_function(entry) && !(m == modules && note_of(entry)))
            destructors[destructor_count++] = m->finis[i];
    }
    if (m->fini && !is_empty((void *)(uintptr_t)m->fini))
        destructors[destructor_count++] = m->fini;
}

void modules_prepare(constructor *init)
{
    size_t most = 0;
    for (int i = 0; i < module_count; i++) {
        put_in_order(&modules[module_count - 1 - i]); // the program, which is the first, comes last
        most += modules[i].init_count + modules[i].fini_count + 1;
    }
    constructors = mem_reserve(most * sizeof *constructors);
    destructors = mem_reserve(most * sizeof *destructors);
    for (int i = 0; i < order_count; i++) {
        if (order[i] == modules)
            of_libraries = constructor_count;
        add_constructors(order[i]);
    }
    for (int i = order_count; i-- > 0;) {
        add_destructors(order[i]);
        if (order[i] == modules)
            of_program = destructor_count;
    }
    if (init) {
        constructor_count = of_libraries;
        constructors[constructor_count++] = init;
    }
}

void modules_construct(int argc, char **argv, char **envp)
{
    for (size_t i = 0; i < constructor_count; i++) {
        if (i == of_libraries)
            exits_libraries_are_ready();
        constructors[i](argc, argv, envp);
    }
}

// Every module has one constructor and one destructor that the compiler brings.
void modules_not_followed(void (*tell)(void *, const char *), void *context)
{
    for (int i = 1; i < module_count; i++)
        if (!modules[i].followed && !imports_is_system(modules[i].name) &&
            (modules[i].init_count > 1 || modules[i].fini_count > 1))
            tell(context, modules[i].name);
}

bool modules_have_destructors(void)
{
    return destructor_count || opened_have_destructors();
}

void modules_destroy(void)
{
    for (size_t i = 0; i < destructor_count; i++) {
        if (i == of_program)
            opened_destroy_all();
        run_destructor(destructors[i]);
    }
    if (of_program == destructor_count)
        opened_destroy_all();
}
