#define _GNU_SOURCE
#include "base/scratch.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "base/tree.h"

static char directory[PATH_MAX];
static pid_t owner; // children that have not become somebody else yet must leave it alone

volatile pid_t scratch_user;

enum { USERS = 128 };
static volatile pid_t users[USERS]; // 0: free

// Allocates nothing, since it may be a signal's doing. What the user has started ends a moment after it.
static void remove_all(void)
{
    static const struct timespec moment = {.tv_nsec = 2000000};
    if (!directory[0] || getpid() != owner)
        return;
    // NOLINTBEGIN(bugprone-signal-handler): system calls, and functions of heddle's that make nothing but those
    tree_empty(directory);
    for (int i = 0; i < 100 && rmdir(directory) && errno == ENOTEMPTY; i++) {
        nanosleep(&moment, NULL);
        tree_empty(directory);
    }
    // NOLINTEND(bugprone-signal-handler)
    directory[0] = 0;
}

static void end_by(int number)
{
    if (scratch_user && getpid() == owner)
        kill(scratch_user, SIGKILL);
    for (int i = 0; i < USERS && getpid() == owner; i++)
        if (users[i])
            kill(users[i], SIGKILL);
    remove_all();
    signal(number, SIG_DFL);
    raise(number);
}

void scratch_note_user(pid_t process, bool is_one)
{
    int i = 0;
    while (i < USERS && users[i] != (is_one ? 0 : process))
        i++;
    if (i < USERS)
        users[i] = is_one ? process : 0;
}

static bool watched; // the signals, by base/interrupt.h

static void watch_signals(void)
{
    if (watched)
        return;
    static const int ending[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++)
        if (signal(ending[i], end_by) == SIG_IGN)
            signal(ending[i], SIG_IGN);
}

const char *scratch_directory(void)
{
    const char *base = getenv("TMPDIR");
    char path[PATH_MAX];
    if (directory[0])
        return directory;
    snprintf(path, sizeof path, "%s/heddle-XXXXXX", base && *base ? base : "/tmp");
    if (!mkdtemp(path) || !realpath(path, directory)) {
        fprintf(stderr, "heddle: no temporary directory can be made (%s): %s\n", path, strerror(errno));
        exit(2);
    }
    owner = getpid();
    atexit(remove_all);
    watch_signals();
    return directory;
}

void scratch_watch(void)
{
    watched = true;
    interrupt_watch(end_by);
}

void scratch_tidy(void)
{
    if (directory[0] && !rmdir(directory))
        directory[0] = 0;
}

int scratch_file(char *path, size_t room)
{
    if ((size_t)snprintf(path, room, "%s/file-XXXXXX", scratch_directory()) >= room) {
        errno = ENAMETOOLONG;
        return -1;
    }
    return mkstemp(path);
}

bool scratch_folder(char *path, size_t room)
{
    if ((size_t)snprintf(path, room, "%s/part-XXXXXX", scratch_directory()) >= room) {
        errno = ENAMETOOLONG;
        return false;
    }
    return mkdtemp(path) != NULL;
}

void scratch_drop(const char *folder)
{
    tree_empty(folder);
    rmdir(folder);
}

void scratch_move(const char *folder)
{
    snprintf(directory, sizeof directory, "%s", folder);
}
