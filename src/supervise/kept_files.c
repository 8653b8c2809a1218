#define _GNU_SOURCE
#include "supervise/kept_files.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/scratch.h"
#include "base/tree.h"

enum { MOST_MEGABYTES = 64 };

static const char too_much[] = "has more than 64 MiB";

static bool write_all(int to, const char *from, size_t size)
{
    while (size) {
        ssize_t n = write(to, from, size);
        if (n <= 0)
            return false;
        from += n;
        size -= (size_t)n;
    }
    return true;
}

// Until its end: files of /proc say that they have no size.
static const char *copy_bytes(int from, int to)
{
    static char bytes[1 << 16];
    uint64_t all = 0;
    for (ssize_t n; (n = read(from, bytes, sizeof bytes));) {
        if (n < 0 || !write_all(to, bytes, (size_t)n))
            return strerror(errno);
        if ((all += (uint64_t)n) > (uint64_t)MOST_MEGABYTES << 20)
            return too_much;
    }
    return NULL;
}

// From a descriptor, to a new file with mode and times of the old one.
static const char *copy_opened(int from, const char *copy, const struct stat *st)
{
    int to = open(copy, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (to < 0)
        return strerror(errno);
    const char *why = copy_bytes(from, to);
    if (!why && (fchmod(to, st->st_mode & 07777) || futimens(to, (struct timespec[]){st->st_atim, st->st_mtim})))
        why = strerror(errno);
    close(to);
    return why;
}

static const char *copy_file(const char *path, const char *copy, const struct stat *st)
{
    int from = open(path, O_RDONLY | O_CLOEXEC);
    if (from < 0)
        return strerror(errno);
    const char *why = copy_opened(from, copy, st);
    close(from);
    return why;
}

static const char *copy_folder(const char *path, const char *copy)
{
    return mkdir(copy, 0700) ? strerror(errno) : tree_copy(path, copy, copy, (uint64_t)MOST_MEGABYTES << 20);
}

const char *kept_files_add(struct surroundings *outside, const char *path)
{
    char real[PATH_MAX], folder[JOB_PATH / 2];
    struct stat st;
    int n = 0;
    while (n < ALLOWED && outside->kept[n][0])
        n++;
    if (n == ALLOWED)
        return "is one too many";
    if (!realpath(path, real) || stat(real, &st))
        return strerror(errno);
    if (!S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
        return "is neither a file nor a folder";
    if (strlen(real) >= JOB_PATH || !scratch_folder(folder, sizeof folder))
        return "cannot be copied";
    snprintf(outside->kept_at[n], JOB_PATH, "%s/kept", folder);
    const char *why =
        S_ISDIR(st.st_mode) ? copy_folder(real, outside->kept_at[n]) : copy_file(real, outside->kept_at[n], &st);
    if (!why)
        strcpy(outside->kept[n], real);
    return why;
}

const char *kept_files_add_input(struct surroundings *outside, const char *path)
{
    char folder[JOB_PATH / 2];
    struct stat st;
    int from = strcmp(path, "-") ? open(path, O_RDONLY | O_CLOEXEC) : dup(STDIN_FILENO);
    const char *why = from < 0 || fstat(from, &st) ? strerror(errno) : NULL;
    if (!why && S_ISDIR(st.st_mode))
        why = strerror(EISDIR);
    if (!why && (strlen(path) >= JOB_PATH || !scratch_folder(folder, sizeof folder)))
        why = "cannot be copied";
    if (!why) {
        snprintf(outside->input_at, JOB_PATH, "%s/input", folder);
        why = copy_opened(from, outside->input_at, &st);
    }
    if (!why)
        strcpy(outside->input, path);
    if (from >= 0)
        close(from);
    return why;
}
