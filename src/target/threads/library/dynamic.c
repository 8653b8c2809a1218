#define _GNU_SOURCE
#include "target/threads/library/dynamic.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "target/threads/engine/engine_room.h"
#include "target/threads/library/imports.h"
#include "target/threads/library/opened.h"
#include "target/threads/library/library_calls.h"
#include "target/threads/library/library_table.h"
#include "target/threads/libc/libc_room.h"
#include "target/threads/pthread/pthread_room.h"

static struct {
    void *handle;    // null: it cannot be opened …
    char error[256]; // … for this reason
    uint64_t users;  // how often the program has it open
} libraries[DYNAMIC_LIBRARIES];

static PROGRAM_STATE pthread_mutex_t linker = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP; // as the C library has one

static PROGRAM_STATE uint64_t last_error[MAX_ACTORS]; // the text for the thread's next dlerror

// ---- before the first execution ----

struct parts {
    const void *dynamic;
    bool found, hooks;
};

static int dynamic_look(struct dl_phdr_info *info, size_t size, void *parts)
{
    struct parts *p = parts;
    bool this = false;
    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++)
        this |= info->dlpi_phdr[i].p_type == PT_DYNAMIC &&
                (const void *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr) == p->dynamic;
    if (!this)
        return 0;
    p->found = true;
    p->hooks = imports_has_hooks(info);
    return 1;
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
}

// What the program would find out only when it calls a function that is nowhere.
static bool is_lazy(int flags, const char *error)
{
    return !(flags & RTLD_NOW) && strstr(error, "undefined symbol");
}

static void dynamic_load(int number, const char *path, int flags)
{
    char *(*last_words)(void) = NATIVE(dlerror); // looking it up forgets them
    opened_begin();
    void *handle = NATIVE(dlopen)(path, (flags & ~(RTLD_LAZY | RTLD_NOLOAD)) | RTLD_NOW);
    const char *error = handle ? NULL : last_words();
    libraries[number].handle = handle;
    snprintf(libraries[number].error, sizeof libraries[number].error, "%s", error ? error : "");
    if (!handle && is_lazy(flags, libraries[number].error))
        cannot_follow(
            "the program opens a library that needs functions which are nowhere, by RTLD_LAZY: heddle binds all "
            "at once");
    if (opened_end(handle ? ((struct link_map *)handle)->l_ld : NULL, number, flags & RTLD_NODELETE) && handle)
        dynamic_judge(handle, path);
}

void dynamic_open(void)
{
    const struct dynamic_lesson *known = &engine.learnt.dynamic;
    for (int i = 0; i < DYNAMIC_LIBRARIES && known->path[i][0]; i++)
        dynamic_load(i, known->path[i], known->flags[i]);
    if (!tls_place_opened())
        cannot_follow(
            "the program opens libraries with more thread-local variables than the C library has room for: link "
            "the program with them");
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

// Constructors run under the linker's lock, as they do without heddle.
static void *open_once_more(struct thread *t, int number, int flags, const void *pc)
{
    mutex_lock(t, &linker, pc);
    bool only_if_open = flags & RTLD_NOLOAD && !libraries[number].users;
    if (!only_if_open) {
        undo_save_word(&engine.undo, &libraries[number].users);
        if (++libraries[number].users == 1)
            opened_construct(t, number);
    }
    mutex_unlock(t, &linker, pc);
    return only_if_open ? NULL : libraries[number].handle;
}

static void keep_error(const struct thread *t, const char *error)
{
    undo_save_word(&engine.undo, &last_error[t->actor]);
    last_error[t->actor] = (uint64_t)(uintptr_t)error;
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
    keep_error(t, libraries[number].handle ? NULL : libraries[number].error);
    return libraries[number].handle ? open_once_more(t, number, flags, HERE) : NULL;
}

static int number_of(void *handle)
{
    int i = 0;
    while (i < DYNAMIC_LIBRARIES && (libraries[i].handle != handle || !libraries[i].users))
        i++;
    return i;
}

static void close_once(struct thread *t, void *handle, const void *pc)
{
    mutex_lock(t, &linker, pc);
    int number = number_of(handle);
    if (number < DYNAMIC_LIBRARIES) {
        undo_save_word(&engine.undo, &libraries[number].users);
        if (!--libraries[number].users)
            opened_destroy(t, number, pc);
    }
    mutex_unlock(t, &linker, pc);
}

PUBLIC int dlclose(void *handle)
{
    struct thread *t = engine.running;
    if (!t || in_heddle((uint64_t)(uintptr_t)HERE))
        return NATIVE(dlclose)(handle);
    close_once(t, handle, HERE);
    return 0; // it stays where it is, for the other executions
}

PUBLIC char *dlerror(void)
{
    if (!engine.running)
        return NATIVE(dlerror)();
    struct thread *t = engine.running;
    char *error = (char *)(uintptr_t)last_error[t->actor];
    keep_error(t, NULL);
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
    Dl_info info;
    engine.running = NULL; // heddle's own doing
    void *address = dlsym(handle == RTLD_NEXT ? RTLD_DEFAULT : handle, name);
    enum home home = address ? home_of((uint64_t)(uintptr_t)address, &library) : HOME_PROGRAM;
    const char *effects = home == HOME_SYSTEM ? library_known(name, library) : "";
    if (!address)
        NATIVE(dlerror)();
    else if (tls_has_opened() && !dladdr(address, &info)) // it is in no library
        cannot_follow("the program looks up a thread-local variable by dlsym: let a function of the library give it");
    engine.running = t;
    if (home == HOME_OTHER || !effects || *effects)
        library_unseen(library, pc);
}
