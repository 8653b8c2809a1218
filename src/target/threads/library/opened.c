#define _GNU_SOURCE
#include "target/threads/library/opened.h"

#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "base/mem.h"
#include "base/raw.h"
#include "model/dynamic.h"
#include "target/threads/engine/engine_room.h"
#include "target/threads/library/imports.h"
#include "target/threads/library/modules.h"
#include "target/threads/libc/libc_room.h"
#include "target/threads/memory/memory_room.h"
#include "target/threads/pthread/pthread_room.h"

enum { OPENED = 64, SEGMENTS = 8, PAGE = 4096 };

static struct opened {
    uint64_t base;
    const ElfW(Dyn) * dynamic;
    const char *name, *strings;
    constructor **constructors;
    size_t constructor_count;
    struct module_ends ends;
    uint64_t users;     // libraries of the program that need it, as often as they are open
    uint64_t destroyed; // the program has had it, and does no longer
    uint64_t locals;    // the number of its thread-local variables, if it has any
    bool stays;         // it is never taken for gone
    bool visited;
    uint32_t needed_by; // bits of the numbers of such libraries
    struct {
        uint64_t start, end;
        bool code;
    } segments[SEGMENTS];
    int segment_count;
} opened[OPENED];

bool opened_are_loaded;
uint64_t opened_count;
static int order[OPENED], order_count; // each after what it needs
static const char *trouble;            // why the library that is being loaded cannot be followed

static PROCESS_STATE uint64_t closed_code; // of which the code cannot be run in this process, by number

// ---- before the first execution ----

static bool is_known(uint64_t base)
{
    for (uint64_t i = 0; i < opened_count; i++)
        if (opened[i].base == base)
            return true;
    return modules_know(base);
}

static void add_segment(struct opened *o, const struct dl_phdr_info *info, const ElfW(Phdr) * h)
{
    if (o->segment_count == SEGMENTS)
        return;
    o->segments[o->segment_count].start = info->dlpi_addr + h->p_vaddr;
    o->segments[o->segment_count].end = info->dlpi_addr + h->p_vaddr + h->p_memsz;
    o->segments[o->segment_count++].code = h->p_flags & PF_X;
}

static void read_headers(struct opened *o, const struct dl_phdr_info *info)
{
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *h = &info->dlpi_phdr[i];
        if (h->p_type == PT_DYNAMIC)
            o->dynamic = (const ElfW(Dyn) *)(info->dlpi_addr + h->p_vaddr);
        if (h->p_type == PT_LOAD && h->p_flags & (PF_W | PF_X))
            add_segment(o, info, h);
        if (h->p_type == PT_TLS) {
            const void *start = (const void *)(info->dlpi_addr + h->p_vaddr);
            tls_add_opened(info->dlpi_tls_modid, start, h->p_filesz, h->p_memsz, h->p_align);
            o->locals = info->dlpi_tls_modid;
        }
    }
}

static void read_flags(struct opened *o)
{
    for (const ElfW(Dyn) *entry = o->dynamic; entry && entry->d_tag != DT_NULL; entry++) {
        if (entry->d_tag == DT_STRTAB)
            o->strings = (const char *)entry->d_un.d_ptr;
        o->stays |= entry->d_tag == DT_FLAGS_1 && entry->d_un.d_val & DF_1_NODELETE;
    }
    for (const ElfW(Dyn) *entry = o->dynamic; entry && entry->d_tag != DT_NULL; entry++) {
        const char *name = o->strings + entry->d_un.d_val;
        if (entry->d_tag == DT_SONAME)
            o->name = name;
        o->stays |= entry->d_tag == DT_NEEDED && strstr(name, "libstdc++") == name;
    }
}

static void opened_do_nothing(int argc, char **argv, char **envp)
{
    (void)argc;
    (void)argv;
    (void)envp;
}

// Takes the constructors that are the program's out of the table. Those in front of the compiler's own have run.
static void take_constructors(struct opened *o)
{
    bool ours = false;
    constructor **table = o->ends.inits;
    o->constructors = mem_reserve((o->ends.init_count + 1) * sizeof *o->constructors);
    for (size_t i = 0; i < o->ends.init_count; i++) {
        const void *entry = (void *)(uintptr_t)table[i];
        ours |= modules_is_sanitizer(entry);
        if (modules_is_compilers(entry))
            continue;
        if (!ours)
            trouble = "the program opens a library with constructors that run before those of the compiler, which "
                      "heddle does not follow: link the program with it";
        uint64_t page = (uint64_t)(uintptr_t)&table[i] & ~(uint64_t)(PAGE - 1);
        raw_call(SYS_mprotect, (long)page, PAGE, PROT_READ | PROT_WRITE);
        o->constructors[o->constructor_count++] = table[i];
        table[i] = opened_do_nothing;
    }
}

static int add_opened(struct dl_phdr_info *info, size_t size, void *none)
{
    (void)size;
    (void)none;
    if (is_known(info->dlpi_addr) || !imports_has_hooks(info) || opened_count == OPENED)
        return 0;
    const char *slash = strrchr(info->dlpi_name, '/');
    struct opened *o = &opened[opened_count++];
    *o = (struct opened){.base = info->dlpi_addr, .name = slash ? slash + 1 : info->dlpi_name};
    read_headers(o, info);
    read_flags(o);
    o->ends = modules_ends(o->base, o->dynamic);
    if (o->ends.runs_init)
        trouble = "the program opens a library with a function _init, which heddle does not follow: link the program "
                  "with it";
    take_constructors(o);
    return 0;
}

void opened_hold_back(void)
{
    opened_are_loaded = false; // all that is loaded at once is there by now
    dl_iterate_phdr(add_opened, NULL);
}

void opened_begin(void)
{
    trouble = NULL;
    opened_are_loaded = true;
}

static struct opened *find_opened(const char *name)
{
    for (uint64_t i = 0; i < opened_count; i++)
        if (!strcmp(opened[i].name, name))
            return &opened[i];
    return NULL;
}

// The library and all it needs.
static void mark_needed(struct opened *o, int number)
{
    if (!o || o->needed_by >> number & 1)
        return;
    o->needed_by |= 1u << number;
    for (const ElfW(Dyn) *entry = o->dynamic; entry && entry->d_tag != DT_NULL; entry++)
        if (entry->d_tag == DT_NEEDED)
            mark_needed(find_opened(o->strings + entry->d_un.d_val), number);
    if (!o->visited)
        order[order_count++] = (int)(o - opened);
    o->visited = true;
}

bool opened_end(const void *dynamic, int number, bool stays)
{
    opened_are_loaded = false;
    for (uint64_t i = 0; i < opened_count; i++) {
        if (opened[i].dynamic != dynamic)
            continue;
        opened[i].stays |= stays;
        mark_needed(&opened[i], number);
    }
    if (trouble)
        cannot_follow(trouble);
    return !trouble;
}

// ---- opening and closing ----

static void opened_set(uint64_t *where, uint64_t value)
{
    undo_save_word(&engine.undo, where);
    *where = value;
}

static bool is_gone(const struct opened *o)
{
    return o->destroyed && !o->users && !o->stays;
}

void opened_follow(void)
{
    for (uint64_t i = 0; i < opened_count; i++) {
        bool gone = is_gone(&opened[i]);
        if (gone == (closed_code >> i & 1))
            continue;
        closed_code ^= 1ull << i;
        for (int s = 0; s < opened[i].segment_count; s++) {
            uint64_t start = opened[i].segments[s].start & ~(uint64_t)(PAGE - 1);
            if (opened[i].segments[s].code)
                raw_call(SYS_mprotect, (long)start, (long)(opened[i].segments[s].end - start),
                         gone ? PROT_READ : PROT_READ | PROT_EXEC);
        }
    }
}

// Calls `part` for what of the variables anybody has accessed.
static void each_accessed(const struct opened *o, struct thread *t, const void *pc,
                          void (*part)(struct thread *t, uint64_t start, uint64_t size, const void *pc))
{
    for (int s = 0; s < o->segment_count; s++) {
        uint64_t end = o->segments[s].end;
        for (uint64_t at = o->segments[s].start, next; !o->segments[s].code && at < end; at = next) {
            next = (at & ~(uint64_t)(PAGE - 1)) + PAGE;
            if (shadow_knows(&engine.races.shadow, at))
                part(t, at, (next < end ? next : end) - at, pc);
        }
    }
}

static void forget_part(struct thread *t, uint64_t start, uint64_t size, const void *pc)
{
    (void)t;
    (void)pc;
    heap_forget_freed(start, size);
}

static void renew(struct thread *t, const struct opened *o)
{
    each_accessed(o, t, NULL, forget_part);
    for (int s = 0; s < o->segment_count; s++)
        if (!o->segments[s].code)
            image_renew(o->segments[s].start);
    if (o->locals)
        tls_renew_opened(o->locals);
}

void opened_construct(struct thread *t, int number)
{
    for (int i = 0; i < order_count; i++) {
        struct opened *o = &opened[order[i]];
        if (!(o->needed_by >> number & 1))
            continue;
        opened_set(&o->users, o->users + 1);
        if (o->users > 1 || (o->stays && o->destroyed))
            continue;
        if (o->destroyed)
            renew(t, o);
        opened_set(&o->destroyed, 0);
        opened_follow();
        for (size_t c = 0; c < o->constructor_count; c++)
            o->constructors[c](engine.argc, engine.argv, engine.envp);
    }
}

static void close_opened(struct thread *t, struct opened *o, const void *pc)
{
    if (o->stays && modules_has_destructors(&o->ends))
        unsupported(t,
                    "the program closes a library in C++ or one that stays loaded, with destructors, which heddle does "
                    "not follow: keep it open");
    if (!o->stays)
        modules_run_destructors(&o->ends);
    opened_set(&o->destroyed, 1);
    if (o->stays)
        return;
    each_accessed(o, t, pc, heap_mark_freed);
}

void opened_destroy(struct thread *t, int number, const void *pc)
{
    for (int i = order_count; i-- > 0;) {
        struct opened *o = &opened[order[i]];
        if (!(o->needed_by >> number & 1))
            continue;
        if (o->users == 1) {
            close_opened(t, o, pc);
            opened_set(&o->users, 0);
            opened_follow();
        } else {
            opened_set(&o->users, o->users - 1);
        }
    }
}

bool opened_have_destructors(void)
{
    for (uint64_t i = 0; i < opened_count; i++)
        if (opened[i].users && modules_has_destructors(&opened[i].ends))
            return true;
    return false;
}

void opened_destroy_all(void)
{
    for (int i = order_count; i-- > 0;)
        if (opened[order[i]].users)
            modules_run_destructors(&opened[order[i]].ends);
}

bool opened_holds_gone(uint64_t address)
{
    for (uint64_t i = 0; i < opened_count; i++)
        for (int s = 0; s < opened[i].segment_count; s++)
            if (address >= opened[i].segments[s].start && address < opened[i].segments[s].end)
                return is_gone(&opened[i]);
    return false;
}
