// Files by their names: opening, making, removing, renaming, looking.
#define _GNU_SOURCE
#undef _FORTIFY_SOURCE
#ifndef __NO_INLINE__
#define __NO_INLINE__
#endif
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>
#include <utime.h>

#include "model/framework.h"
#include "target/threads/descriptor/descriptor_room.h"
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

static bool files_mode_writes(const char *mode)
{
    bool writes = mode[0] != 'r';
    for (const char *m = mode; *m && *m != ','; m++)
        writes |= *m == '+';
    return writes;
}

const char *files_stream_path(const char *path, const char *mode)
{
    return engine.running && !files_mode_writes(mode) ? outside_kept(AT_FDCWD, path) : path;
}

void files_open_stream(const char *path, const char *mode, const void *pc)
{
    if (files_mode_writes(mode) && path)
        outside_change(engine.running, "fopen for writing", AT_FDCWD, path, pc);
    else
        outside(engine.running, "fopen", OUTSIDE_USES, pc);
}

#define OPENS_STREAM(name, parameters, ...)                                                                            \
    PUBLIC FILE *name parameters                                                                                       \
    {                                                                                                                  \
        if (engine.running)                                                                                            \
            files_open_stream(path, mode, HERE);                                                                       \
        path = files_stream_path(path, mode);                                                                          \
        return NATIVE(name)(__VA_ARGS__);                                                                              \
    }
OPENS_STREAM(freopen, (const char *restrict path, const char *restrict mode, FILE *restrict file), path, mode, file)
OPENS_STREAM(freopen64, (const char *restrict path, const char *restrict mode, FILE *restrict file), path, mode, file)

// googletest keeps what a death test prints in a file of /tmp, whose name it takes from the template afterwards: instead, it is in
// the working directory.
static void files_move_capture(char *template)
{
    static const char name[] = "/gtest_captured_stream.XXXXXX";
    size_t length = plain_length(template, PATH_MAX), least = sizeof name - 1;
    if (engine.rules.framework != FRAMEWORK_GTEST || length <= least ||
        plain_differ(template + length - least, name, least) != least)
        return;
    template[0] = '.';
    plain_move(template + 1, name, sizeof name);
}

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
#define KEPT(directory, path) outside_kept(directory, path)
#define AT(name, directory, path) outside_change(t, #name, directory, path, HERE)

CALLS(AT(creat, AT_FDCWD, path), int, creat, (const char *path, mode_t mode), (path, mode))
CALLS(AT(creat, AT_FDCWD, path), int, creat64, (const char *path, mode_t mode), (path, mode))
CALLS(BY(tmpfile, OUTSIDE_USES), FILE *, tmpfile, (void), ())
CALLS(BY(tmpfile, OUTSIDE_USES), FILE *, tmpfile64, (void), ())
CALLS((files_move_capture(path), AT(mkstemp, AT_FDCWD, path)), int, mkstemp, (char *path), (path))
CALLS((files_move_capture(path), AT(mkstemp, AT_FDCWD, path)), int, mkstemp64, (char *path), (path))
CALLS(AT(mkostemp, AT_FDCWD, path), int, mkostemp, (char *path, int flags), (path, flags))
CALLS(AT(mkdtemp, AT_FDCWD, path), char *, mkdtemp, (char *path), (path))
CALLS(BY(opendir, OUTSIDE_USES), DIR *, opendir, (const char *path), (KEPT(AT_FDCWD, path)))
CALLS(AT(unlinkat, directory, path), int, unlinkat, (int directory, const char *path, int flags),
      (directory, path, flags))
CALLS(AT(mkdir, AT_FDCWD, path), int, mkdir, (const char *path, mode_t mode), (path, mode))
CALLS(AT(mkdirat, directory, path), int, mkdirat, (int directory, const char *path, mode_t mode),
      (directory, path, mode))
CALLS(AT(rmdir, AT_FDCWD, path), int, rmdir, (const char *path), (path))
CALLS(AT(symlink, AT_FDCWD, path), int, symlink, (const char *target, const char *path), (target, path))
CALLS(AT(truncate, AT_FDCWD, path), int, truncate, (const char *path, off_t size), (path, size))
CALLS(AT(truncate, AT_FDCWD, path), int, truncate64, (const char *path, off64_t size), (path, size))
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

static int files_answer(long result)
{
    if (result >= 0)
        return (int)result;
    errno = (int)-result;
    return -1;
}

// The path may be that of a socket.
#define SOCKET_OR_FILE(name, removes, parameters, ...)                                                                 \
    PUBLIC int name parameters                                                                                         \
    {                                                                                                                  \
        struct thread *t = engine.running;                                                                             \
        long result;                                                                                                   \
        if (t && socket_path_call(t, path, removes, &result, HERE))                                                    \
            return files_answer(result);                                                                               \
        if (t)                                                                                                         \
            AT(name, AT_FDCWD, path);                                                                                  \
        return NATIVE(name)(__VA_ARGS__);                                                                              \
    }
SOCKET_OR_FILE(unlink, true, (const char *path), path)
SOCKET_OR_FILE(remove, true, (const char *path), path)
SOCKET_OR_FILE(chmod, false, (const char *path, mode_t mode), path, mode)
SOCKET_OR_FILE(chown, false, (const char *path, uid_t user, gid_t group), path, user, group)

CALLS(BY(access, OUTSIDE_LOOKS), int, access, (const char *path, int mode), (KEPT(AT_FDCWD, path), mode))
CALLS(BY(faccessat, OUTSIDE_LOOKS), int, faccessat, (int directory, const char *path, int mode, int flags),
      (directory, KEPT(directory, path), mode, flags))
CALLS((BY(getcwd, OUTSIDE_LOOKS), to ? access_write(to, size, HERE) : (void)0), char *, getcwd, (char *to, size_t size),
      (to, size))
CALLS((BY(readlink, OUTSIDE_LOOKS), access_write(to, size, HERE)), ssize_t, readlink,
      (const char *restrict path, char *restrict to, size_t size), (path, to, size))
CALLS(FILL(fstatat), int, fstatat, (int directory, const char *restrict path, struct stat *restrict to, int flags),
      (directory, KEPT(directory, path), to, flags))
CALLS(FILL(fstatat), int, fstatat64, (int directory, const char *restrict path, struct stat64 *restrict to, int flags),
      (directory, KEPT(directory, path), to, flags))
CALLS(FILL(stat), int, stat, (const char *restrict path, struct stat *restrict to), (KEPT(AT_FDCWD, path), to))
CALLS(FILL(lstat), int, lstat, (const char *restrict path, struct stat *restrict to), (KEPT(AT_FDCWD, path), to))
CALLS(FILL(stat), int, stat64, (const char *restrict path, struct stat64 *restrict to), (KEPT(AT_FDCWD, path), to))
CALLS(FILL(lstat), int, lstat64, (const char *restrict path, struct stat64 *restrict to), (KEPT(AT_FDCWD, path), to))
