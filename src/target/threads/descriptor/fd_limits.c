// How many descriptors a program may have. Those between threads have numbers beyond the kernel's, which stops at the first of
// them (descriptors.c), so what the kernel says is not what the program can meet: a table that is made as large as the limit
// has to have room for them. A limit that the program sets is accepted and has no effect.
#define _GNU_SOURCE
#include <errno.h>
#include <sys/resource.h>
#include <unistd.h>

#include "target/threads/descriptor/descriptors.h"
#include "target/threads/libc/libc_room.h"
#include "target/threads/outside/outside_room.h"

static int limits_get(int resource, struct rlimit *to, const void *pc)
{
    access_write(to, sizeof *to, pc);
    if (resource != RLIMIT_NOFILE)
        return NATIVE(getrlimit)((__rlimit_resource_t)resource, to);
    to->rlim_cur = to->rlim_max = descriptor_limit();
    return 0;
}

static int limits_set(int resource, const struct rlimit *to, const void *pc)
{
    access_read(to, sizeof *to, pc);
    if (resource != RLIMIT_NOFILE) {
        outside(engine.running, "setrlimit", OUTSIDE_USES, pc);
        return NATIVE(setrlimit)((__rlimit_resource_t)resource, to);
    }
    errno = EINVAL;
    return to->rlim_cur > to->rlim_max ? -1 : 0;
}

PUBLIC int getrlimit(__rlimit_resource_t resource, struct rlimit *to)
{
    return engine.running ? limits_get((int)resource, to, HERE) : NATIVE(getrlimit)(resource, to);
}

PUBLIC int setrlimit(__rlimit_resource_t resource, const struct rlimit *to)
{
    return engine.running ? limits_set((int)resource, to, HERE) : NATIVE(setrlimit)(resource, to);
}

// On this machine they are the same.
_Static_assert(sizeof(struct rlimit) == sizeof(struct rlimit64), "one kind of limit");

PUBLIC int getrlimit64(__rlimit_resource_t resource, struct rlimit64 *to)
{
    return engine.running ? limits_get((int)resource, (struct rlimit *)to, HERE) : NATIVE(getrlimit64)(resource, to);
}

PUBLIC int setrlimit64(__rlimit_resource_t resource, const struct rlimit64 *to)
{
    return engine.running ? limits_set((int)resource, (const struct rlimit *)to, HERE)
                          : NATIVE(setrlimit64)(resource, to);
}

PUBLIC long sysconf(int name)
{
    return engine.running && name == _SC_OPEN_MAX ? (long)descriptor_limit() : NATIVE(sysconf)(name);
}

PUBLIC int getdtablesize(void)
{
    return engine.running ? (int)descriptor_limit() : NATIVE(getdtablesize)();
}
