// Files by their names: opening, making, removing, renaming, looking.
#define _GNU_SOURCE
#undef _FORTIFY_SOURCE
#ifndef __NO_INLINE__
#define __NO_INLINE__
#endif
#include <dirent.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>
#include <utime.h>

#include "target/threads/libc/libc_room.h"
#include "target/threads/outside/outside_room.h"

// ---- opening ----

void files_open(int directory, const char *path, int flags, const void *pc)
{
    if (flags & (O_CREAT | O_TRUNC) || (flags & O_ACCMODE) != O_RDONLY)
        outside_change(engine.running, "open for writing", directory, path, pc);
    else
        outside(engine.running, "open", OUTSIDE_USES, pc);
}

void files_open_stream(const char *path, const char *mode, const void *pc)
{
    bool writes = mode[0] != 'r';
    for (const char *m = mode; *m && *m != ','; m++)
        writes |= *m == '+';
    if (writes && path)
        outside_change(engine.running, "fopen for writing", AT_FDCWD, path, pc);
    else
        outside(engine.running, "fopen", OUTSIDE_USES, pc);
}

#define OPENS_STREAM(name, parameters, ...)                                                                            \
    PUBLIC FILE *name parameters                                                                                       \
    {                                                                                                                  \
        if (engine.running)                                                                                            \
            files_open_stream(path, mode, HERE);                                                                       \
        return NATIVE(name)(__VA_ARGS__);                                                                              \
    }
OPENS_STREAM(freopen, (const char *restrict path, const char *restrict mode, FILE *restrict file), path, mode, file)
OPENS_STREAM(freopen64, (const char *restrict path, const char *restrict mode, FILE *restrict file), path, mode, file)

// ---- others ----

#define CALLS(how, result, name, parameters, arguments)                                                                \
    PUBLIC result name parameters                                                                                      \
    {                                                                                                                  \
        struct thread *t = engine.running;                                                                             \
        if (t)                                                                                                         \
            how;                                                                                                       \
        return NATIVE(name) arguments;                                                                                 \
    }
#define BY(name, kind) outside(t, #name, kind, HERE)
#define FILL(name) (BY(name, OUTSIDE_LOOKS), access_write(to, sizeof *to, HERE))
#define AT(name, directory, path) outside_change(t, #name, directory, path, HERE)

CALLS(AT(creat, AT_FDCWD, path), int, creat, (const char *path, mode_t mode), (path, mode))
CALLS(AT(creat, AT_FDCWD, path), int, creat64, (const char *path, mode_t mode), (path, mode))
CALLS(BY(tmpfile, OUTSIDE_USES), FILE *, tmpfile, (void), ())
CALLS(BY(tmpfile, OUTSIDE_USES), FILE *, tmpfile64, (void), ())
CALLS(AT(mkstemp, AT_FDCWD, path), int, mkstemp, (char *path), (path))
CALLS(AT(mkstemp, AT_FDCWD, path), int, mkstemp64, (char *path), (path))
CALLS(AT(mkostemp, AT_FDCWD, path), int, mkostemp, (char *path, int flags), (path, flags))
CALLS(AT(mkdtemp, AT_FDCWD, path), char *, mkdtemp, (char *path), (path))
CALLS(BY(opendir, OUTSIDE_USES), DIR *, opendir, (const char *path), (path))
CALLS(AT(unlink, AT_FDCWD, path), int, unlink, (const char *path), (path))
CALLS(AT(unlinkat, directory, path), int, unlinkat, (int directory, const char *path, int flags),
      (directory, path, flags))
CALLS(AT(remove, AT_FDCWD, path), int, remove, (const char *path), (path))
CALLS(AT(mkdir, AT_FDCWD, path), int, mkdir, (const char *path, mode_t mode), (path, mode))
CALLS(AT(mkdirat, directory, path), int, mkdirat, (int directory, const char *path, mode_t mode),
      (directory, path, mode))
CALLS(AT(rmdir, AT_FDCWD, path), int, rmdir, (const char *path), (path))
CALLS(AT(symlink, AT_FDCWD, path), int, symlink, (const char *target, const char *path), (target, path))
CALLS(AT(truncate, AT_FDCWD, path), int, truncate, (const char *path, off_t size), (path, size))
CALLS(AT(truncate, AT_FDCWD, path), int, truncate64, (const char *path, off64_t size), (path, size))
CALLS(AT(chmod, AT_FDCWD, path), int, chmod, (const char *path, mode_t mode), (path, mode))
CALLS(AT(chown, AT_FDCWD, path), int, chown, (const char *path, uid_t user, gid_t group), (path, user, group))
CALLS(AT(mkfifo, AT_FDCWD, path), int, mkfifo, (const char *path, mode_t mode), (path, mode))
CALLS(AT(utimes, AT_FDCWD, path), int, utimes, (const char *path, const struct timeval times[2]), (path, times))
CALLS(AT(utimensat, directory, path), int, utimensat,
      (int directory, const char *path, const struct timespec times[2], int flags), (directory, path, times, flags))
CALLS((AT(rename, AT_FDCWD, from), AT(rename, AT_FDCWD, to)), int, rename, (const char *from, const char *to),
      (from, to))
CALLS((AT(renameat, at, from), AT(renameat, into, to)), int, renameat,
      (int at, const char *from, int into, const char *to), (at, from, into, to))
CALLS((AT(link, AT_FDCWD, from), AT(link, AT_FDCWD, to)), int, link, (const char *from, const char *to), (from, to))
CALLS(BY(chdir, OUTSIDE_USES), int, chdir, (const char *path), (path))
CALLS(BY(fchdir, OUTSIDE_USES), int, fchdir, (int fd), (fd))

CALLS(BY(access, OUTSIDE_LOOKS), int, access, (const char *path, int mode), (path, mode))
CALLS(BY(faccessat, OUTSIDE_LOOKS), int, faccessat, (int directory, const char *path, int mode, int flags),
      (directory, path, mode, flags))
CALLS((BY(getcwd, OUTSIDE_LOOKS), to ? access_write(to, size, HERE) : (void)0), char *, getcwd, (char *to, size_t size), (to, size))
CALLS((BY(readlink, OUTSIDE_LOOKS), access_write(to, size, HERE)), ssize_t, readlink,
      (const char *restrict path, char *restrict to, size_t size), (path, to, size))
CALLS(FILL(fstatat), int, fstatat, (int directory, const char *restrict path, struct stat *restrict to, int flags),
      (directory, path, to, flags))
CALLS(FILL(fstatat), int, fstatat64, (int directory, const char *restrict path, struct stat64 *restrict to, int flags),
      (directory, path, to, flags))
CALLS(FILL(stat), int, stat, (const char *restrict path, struct stat *restrict to), (path, to))
CALLS(FILL(lstat), int, lstat, (const char *restrict path, struct stat *restrict to), (path, to))
CALLS(FILL(stat), int, stat64, (const char *restrict path, struct stat64 *restrict to), (path, to))
CALLS(FILL(lstat), int, lstat64, (const char *restrict path, struct stat64 *restrict to), (path, to))
