// In front of the C library: once the file that FULL_DISK names is there, nothing more fits into files called `search.new`.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char full[4096];

__attribute__((constructor)) static void begin(void)
{
    snprintf(full, sizeof full, "%s", getenv("FULL_DISK") ? getenv("FULL_DISK") : "");
    unsetenv("LD_PRELOAD"); // the program under test has enough room
}

ssize_t write(int fd, const void *bytes, size_t length)
{
    static ssize_t (*native)(int, const void *, size_t);
    char link[64], path[4096];
    if (!native)
        native = (ssize_t(*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t n = readlink(link, path, sizeof path - 1);
    path[n > 0 ? n : 0] = 0;
    if (!strstr(path, "search.new") || !full[0] || access(full, F_OK))
        return native(fd, bytes, length);
    if (length > 100)
        return native(fd, bytes, 100); // some of it fits
    errno = ENOSPC;
    return -1;
}
