// The environment, which all threads share: changing it while another thread looks for something in it is a race.
#define _GNU_SOURCE
#include <stdlib.h>
#include <unistd.h>

#include "target/threads/libc/native.h"
#include "target/threads/libc/public.h"

// Stands for all of it.
static PROGRAM_STATE uint64_t environment;

static void libc_environment_look(const void *pc)
{
    if (pc)
        access_read(&environment, sizeof environment, pc);
}

static void libc_environment_change(const void *pc)
{
    if (pc)
        access_write(&environment, sizeof environment, pc);
}

// Called very early, by malloc: before the C library's own could be looked up.
static char *libc_environment_find(const char *name)
{
    size_t length = plain_length(name, SIZE_MAX);
    for (char **entry = environ; entry && *entry; entry++)
        if (plain_differ(*entry, name, plain_length(*entry, length)) == length && (*entry)[length] == '=')
            return *entry + length + 1;
    return NULL;
}

PUBLIC char *getenv(const char *name)
{
    libc_environment_look(CALLER());
    return libc_environment_find(name);
}

PUBLIC char *secure_getenv(const char *name)
{
    libc_environment_look(CALLER());
    return NATIVE(secure_getenv)(name);
}

PUBLIC int setenv(const char *name, const char *value, int overwrite)
{
    libc_environment_change(CALLER());
    return NATIVE(setenv)(name, value, overwrite);
}

PUBLIC int unsetenv(const char *name)
{
    libc_environment_change(CALLER());
    return NATIVE(unsetenv)(name);
}

PUBLIC int putenv(char *entry)
{
    libc_environment_change(CALLER());
    return NATIVE(putenv)(entry);
}

PUBLIC int clearenv(void)
{
    libc_environment_change(CALLER());
    return NATIVE(clearenv)();
}
