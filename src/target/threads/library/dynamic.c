#define _GNU_SOURCE
#include "target/threads/library/dynamic.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <string.h>

#include "target/threads/engine/engine_room.h"
#include "target/threads/library/imports.h"
#include "target/threads/library/library_calls.h"
#include "target/threads/library/library_table.h"
#include "target/threads/libc/libc_room.h"
#include "target/threads/pthread/pthread_room.h"

static struct {
    void *handle;           // null: it cannot be opened …
    char error[256];        // … for this reason
    uint64_t users, closed; // how often the program has it open; whether it has closed it
} opened[DYNAMIC_LIBRARIES];

static const char *last_error; // for the next dlerror; of the program, but nobody depends on its being put back

// ---- before the first execution ----

struct parts {
    const void *dynamic;
    bool found, hooks, thread_locals;
};

static int dynamic_look(struct dl_phdr_info *info, size_t size, void *parts)
{
    struct parts *p = parts;
    bool this = false, locals = false;
    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        this |= info->dlpi_phdr[i].p_type == PT_DYNAMIC &&
                (const void *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr) == p->dynamic;
        locals |= info->dlpi_phdr[i].p_type == PT_TLS;
    }
    if (!this)
        return 0;
    p->found = true;
    p->hooks = imports_has_hooks(info);
    p->thread_locals = locals;
    return 1;
}

static int32_t distance_at(const uint8_t *code)
{
    int32_t distance;
    __builtin_memcpy(&distance, code, sizeof distance);
    return distance;
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
    const uint8_t *hook =
        dlsym(RTLD_DEFAULT, "__tsan_init"); // named, it would make a library with hooks of the runtime
    enum { REACH = 16 };
    for (int i = 0; i < REACH && code[i] != 0xc3; i++)
        if (code[i] == 0xe8 || code[i] == 0xe9)
            return follow_jump(code + i + 5 + distance_at(code + i + 1)) == hook;
    return false;
}

static bool tells_of_assembly(const uint8_t *code)
{
    return code[0] == 0x48 && code[1] == 0x8d && code[2] == 0x3d && code[7] == 0xff && code[8] == 0x25;
}

// As the one does that each module has from the compiler.
static bool only_jumps(const uint8_t *code)
{
    static const uint8_t begins[] = {0xf3, 0x0f, 0x1e, 0xfa, 0xe9};
    return plain_differ(code, begins, sizeof begins) == sizeof begins;
}

// Whether there are more than the compiler's own constructors and its destructor.
static bool has_constructors(const struct link_map *map)
{
    const uint8_t *const *constructors = NULL;
    uint64_t count = 0, destructors = 0;
    for (const ElfW(Dyn) *entry = map->l_ld; entry->d_tag != DT_NULL; entry++) {
        if (entry->d_tag == DT_INIT_ARRAY)
            constructors = (const uint8_t *const *)(map->l_addr + entry->d_un.d_ptr);
        if (entry->d_tag == DT_INIT_ARRAYSZ)
            count = entry->d_un.d_val / sizeof(void *);
        if (entry->d_tag == DT_FINI_ARRAYSZ)
            destructors = entry->d_un.d_val / sizeof(void *);
    }
    uint64_t others = 0;
    for (uint64_t i = 0; constructors && i < count; i++)
        others +=
            !tells_of_assembly(constructors[i]) && !starts_sanitizer(constructors[i]) && !only_jumps(constructors[i]);
    return others || destructors > 1;
}

static void dynamic_judge(void *handle, const char *path)
{
    struct link_map *map = handle;
    struct parts parts = {.dynamic = map->l_ld};
    dl_iterate_phdr(dynamic_look, &parts);
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    if (imports_is_system(name))
        return;
    if (parts.found && !parts.hooks)
        library_unseen(name, NULL);
    else if (parts.thread_locals || has_constructors(map))
        cannot_follow(
            "the program opens a library with constructors, destructors or thread-local variables, which heddle "
            "does not follow: link the program with it");
}

void dynamic_open(void)
{
    const struct dynamic_lesson *known = &engine.learnt.dynamic;
    for (int i = 0; i < DYNAMIC_LIBRARIES && known->path[i][0]; i++) {
        opened[i].handle = NATIVE(dlopen)(known->path[i], (known->flags[i] & ~RTLD_LAZY) | RTLD_NOW);
        const char *error = opened[i].handle ? NULL : NATIVE(dlerror)();
        snprintf(opened[i].error, sizeof opened[i].error, "%s", error ? error : "");
        if (opened[i].handle)
            dynamic_judge(opened[i].handle, known->path[i]);
    }
}

// ---- the calls ----

static int dynamic_number_of(struct thread *t, const char *path, int flags)
{
    struct dynamic_lesson *wanted = &engine.learnt.dynamic;
    int i = 0;
    while (i < DYNAMIC_LIBRARIES && wanted->path[i][0] && strcmp(wanted->path[i], path))
        i++;
    if (i == DYNAMIC_LIBRARIES || strlen(path) >= DYNAMIC_PATH)
        unsupported(t, "the program opens more libraries than heddle keeps track of (8), or one with a very long name");
    if (wanted->path[i][0])
        return i;
    strcpy(wanted->path[i], path);
    wanted->flags[i] = flags;
    search_again(t);
    __builtin_unreachable();
}

PUBLIC void *dlopen(const char *path, int flags)
{
    struct thread *t = engine.running;
    if (!t || in_heddle((uint64_t)(uintptr_t)HERE))
        return NATIVE(dlopen)(path, flags);
    engine.running = NULL; // heddle's own doing
    void *program = path ? NULL : NATIVE(dlopen)(NULL, RTLD_NOW);
    engine.running = t;
    if (!path)
        return program;
    access_read(path, strlen(path) + 1, HERE);
    int number = dynamic_number_of(t, path, flags);
    if (opened[number].closed)
        unsupported(t,
                    "the program opens a library again that it has closed, which heddle does not follow: keep it open");
    undo_save_word(&engine.undo, &opened[number].users);
    opened[number].users++;
    last_error = opened[number].handle ? NULL : opened[number].error;
    return opened[number].handle;
}

PUBLIC int dlclose(void *handle)
{
    if (!engine.running || in_heddle((uint64_t)(uintptr_t)HERE))
        return NATIVE(dlclose)(handle);
    for (int i = 0; i < DYNAMIC_LIBRARIES; i++) {
        if (opened[i].handle != handle || !opened[i].users)
            continue;
        undo_save(&engine.undo, &opened[i].users, 2 * sizeof opened[i].users);
        opened[i].closed = !--opened[i].users;
    }
    return 0; // it stays where it is, for the other executions
}

PUBLIC char *dlerror(void)
{
    if (!engine.running)
        return NATIVE(dlerror)();
    struct thread *t = engine.running;
    char *error = (char *)(uintptr_t)last_error;
    last_error = NULL;
    engine.running = NULL;
    if (!error)
        error = NATIVE(dlerror)();
    engine.running = t;
    return error;
}

// A function of a library without hooks that is called by its address is not announced.
void dynamic_find(void *handle, const char *name, const void *pc)
{
    struct thread *t = engine.running;
    const char *library;
    engine.running = NULL; // heddle's own doing
    void *address = dlsym(handle == RTLD_NEXT ? RTLD_DEFAULT : handle, name);
    enum home home = address ? home_of((uint64_t)(uintptr_t)address, &library) : HOME_PROGRAM;
    const char *effects = home == HOME_SYSTEM ? library_known(name, library) : "";
    if (!address)
        NATIVE(dlerror)();
    engine.running = t;
    if (home == HOME_OTHER || !effects || *effects)
        library_unseen(library, pc);
}
