#define _GNU_SOURCE
#include "target/threads/memory/descendants.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/raw.h"

enum { TICK_MS = 10 }; // of times in /proc

struct entry { // as the kernel gives it
    uint64_t inode, offset;
    uint16_t size;
    uint8_t type;
    char name[];
};

static uint64_t digits_of(const char **text)
{
    uint64_t n = 0;
    for (; **text >= '0' && **text <= '9'; ++*text)
        n = n * 10 + (uint64_t)(**text - '0');
    return n;
}

// The field that many fields after the name of the program, which may have spaces in it.
static uint64_t field_of(const char *stat, int number)
{
    const char *at = strrchr(stat, ')');
    for (; at && number > 0; number--) {
        at = strchr(at, ' ');
        at += at != NULL;
    }
    return at ? digits_of(&at) : 0;
}

// What the kernel says of a process; false: it is gone.
static bool read_stat(const char *process, char *to, size_t size)
{
    char path[64] = "/proc/";
    strncat(path, process, 20);
    strcat(path, "/stat");
    long fd = raw_call(SYS_open, (long)path, O_RDONLY | O_CLOEXEC, 0);
    long n = fd < 0 ? -1 : raw_call(SYS_read, fd, (long)to, (long)size - 1);
    if (fd >= 0)
        raw_call(SYS_close, fd, 0, 0);
    to[n > 0 ? n : 0] = 0;
    return n > 0;
}

static void descendants_add(struct descendants *d, const char *process, pid_t leader)
{
    enum { GROUP = 3, USER = 12, SYSTEM = 13 };
    char stat[512];
    const char *number = process;
    uint64_t id = digits_of(&number);
    if (!id || *number || id == (uint64_t)leader || !read_stat(process, stat, sizeof stat))
        return;
    if (field_of(stat, GROUP) != (uint64_t)leader)
        return;
    d->count++;
    d->time_ms += (field_of(stat, USER) + field_of(stat, SYSTEM)) * TICK_MS;
}

struct descendants descendants_of(pid_t leader)
{
    struct descendants d = {0};
    uint64_t space[512]; // aligned as entries are
    long fd = raw_call(SYS_open, (long)"/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
    for (long n; fd >= 0 && (n = raw_call(SYS_getdents64, fd, (long)space, sizeof space)) > 0;)
        for (long at = 0; at < n;) {
            const struct entry *e = (const struct entry *)((const char *)space + at);
            descendants_add(&d, e->name, leader);
            at += e->size;
        }
    if (fd >= 0)
        raw_call(SYS_close, fd, 0, 0);
    return d;
}
