#define _GNU_SOURCE
#include "target/threads/library/early.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "target/threads/engine/engine_room.h"
#include "target/threads/library/imports.h"

enum { LOCKS = 256, KEPT = 1024 };

static struct {
    bool over;
    char trouble[256];
    struct {
        const void *address, *pc; // where it was taken first
        uint32_t times;
    } lock[LOCKS];
    struct {
        void (*adopt)(uint64_t, uint64_t);
        uint64_t address, value;
    } kept[KEPT];
    uint32_t kept_count;
} early;

extern void *__libc_stack_end; // where the system has put the arguments and, behind them, the environment

// Functions in .preinit_array run before the C library knows of the environment.
static char **find_environment(void)
{
    long *count = __libc_stack_end;
    return environ ? environ : (char **)(count + 1) + *count + 1;
}

static bool has_variable(const char *name)
{
    size_t length = strlen(name);
    for (char **entry = find_environment(); *entry; entry++)
        if (!strncmp(*entry, name, length) && (*entry)[length] == '=')
            return true;
    return false;
}

bool early_is_controlled(void)
{
    static int known;
    if (!known)
        known = has_variable(CONTROL_VARIABLE) ? 2 : 1;
    return known == 2;
}

bool early_is_now(void)
{
    return !early.over && early_is_controlled();
}

void early_refuse(const char *what, const void *pc)
{
    const char *library = "";
    if (!early_is_now() || early.trouble[0])
        return;
    bool own = home_of((uint64_t)(uintptr_t)pc, &library) == HOME_PROGRAM;
    const char *who = own ? "a function in .preinit_array" : library[0] ? library : "a library";
    snprintf(early.trouble, sizeof early.trouble, "%s %s before main, which heddle does not follow: %s", who, what,
             own ? "make it a constructor" : "build it with heddle cc");
}

static int find_lock(const void *address)
{
    for (int i = 0; i < LOCKS; i++)
        if (early.lock[i].address == address)
            return i;
    return -1;
}

int early_took(int error, const void *lock, const void *pc)
{
    if (error || !early_is_now())
        return error;
    int i = find_lock(lock);
    if (i < 0)
        i = find_lock(NULL);
    if (i < 0) {
        early_refuse("takes more than 256 locks", pc);
    } else {
        if (!early.lock[i].times)
            early.lock[i].pc = pc;
        early.lock[i].address = lock;
        early.lock[i].times++;
    }
    return error;
}

int early_let_go(int error, const void *lock)
{
    int i = error || !early_is_now() ? -1 : find_lock(lock);
    if (i >= 0 && !--early.lock[i].times)
        early.lock[i].address = NULL;
    return error;
}

void early_keep(void (*adopt)(uint64_t, uint64_t), uint64_t address, uint64_t value)
{
    if (!early_is_now())
        return;
    if (early.kept_count == KEPT) {
        early_refuse("initialises more than 1024 barriers", NULL);
        return;
    }
    early.kept[early.kept_count].adopt = adopt;
    early.kept[early.kept_count].address = address;
    early.kept[early.kept_count++].value = value;
}

const char *early_end(void)
{
    for (int i = 0; i < LOCKS; i++)
        if (early.lock[i].address)
            early_refuse("leaves a lock locked", early.lock[i].pc);
    early.over = true;
    for (uint32_t i = 0; i < early.kept_count; i++)
        early.kept[i].adopt(early.kept[i].address, early.kept[i].value);
    return early.trouble[0] ? early.trouble : NULL;
}
