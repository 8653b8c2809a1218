#define _GNU_SOURCE
#include "supervise/workplace.h"

#include <dirent.h>
#include <errno.h>
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

static struct {
    bool made;
    char root[JOB_PATH]; // all is below it
    char from[JOB_PATH], to[JOB_PATH];
    struct tree tree;
} workplace;

// All that stands beside `name` in `directory`, as links in `beside`: so that relative paths lead where they did.
static void link_neighbours(const char *directory, const char *name, const char *beside)
{
    char target[PATH_MAX], link[PATH_MAX];
    DIR *list = opendir(directory);
    for (struct dirent *e; list && (e = readdir(list));) {
        if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, "..") || !strcmp(e->d_name, name))
            continue;
        if ((size_t)snprintf(target, sizeof target, "%s/%s", directory, e->d_name) < sizeof target &&
            (size_t)snprintf(link, sizeof link, "%s/%s", beside, e->d_name) < sizeof link && symlink(target, link))
            break;
    }
    if (list)
        closedir(list);
}

// Makes the same path below the root as `from` has below /.
static bool mirror_path(void)
{
    char done[JOB_PATH] = "", next[NAME_MAX + 1];
    size_t length = (size_t)snprintf(workplace.to, sizeof workplace.to, "%s", workplace.root);
    for (const char *at = workplace.from + strspn(workplace.from, "/"); *at; at += strspn(at, "/")) {
        size_t n = strcspn(at, "/");
        if (n > NAME_MAX || length + n + 2 > sizeof workplace.to)
            return false;
        snprintf(next, sizeof next, "%.*s", (int)n, at);
        link_neighbours(*done ? done : "/", next, workplace.to);
        length += (size_t)sprintf(workplace.to + length, "/%s", next);
        if (mkdir(workplace.to, 0700))
            return false;
        sprintf(done + strlen(done), "/%s", next);
        at += n;
    }
    return true;
}

static const char *why_not(const char *why)
{
    static char text[512];
    snprintf(text, sizeof text,
             "the program changes files, and its working directory cannot be copied (at most %d MiB): %.300s; give a "
             "smaller "
             "one with --directory DIR",
             MOST_MEGABYTES, why);
    return text;
}

static const char *workplace_make(const struct job *job)
{
    char from[PATH_MAX];
    if (!realpath(job->task.outside.directory[0] ? job->task.outside.directory : ".", from) ||
        strlen(from) >= sizeof workplace.from)
        return why_not(strerror(errno));
    strcpy(workplace.from, from);
    if (strlen(scratch_directory()) + sizeof "/files" > sizeof workplace.root)
        return why_not(strerror(ENAMETOOLONG));
    sprintf(workplace.root, "%s/files", scratch_directory());
    if (mkdir(workplace.root, 0700) || !mirror_path())
        return why_not(strerror(errno));
    const char *why = tree_copy(workplace.from, workplace.to, scratch_directory(), (uint64_t)MOST_MEGABYTES << 20);
    if (!why)
        why = tree_look(&workplace.tree, workplace.from, workplace.to);
    workplace.made = !why;
    return why ? why_not(why) : NULL;
}

const char *workplace_prepare(struct job *job)
{
    if (!job->learnt.needs_place)
        return NULL;
    const char *why = workplace.made ? tree_restore(&workplace.tree) : workplace_make(job);
    if (why)
        return why;
    memcpy(job->task.place, workplace.to, sizeof job->task.place);
    memcpy(job->task.place_from, workplace.from, sizeof job->task.place_from);
    return NULL;
}

// A worker that waits for a ruling on a bug must find it as it left it.
void workplace_leave(const struct job *job)
{
    if (job->task.place[0])
        tree_restore(&workplace.tree);
}

void workplace_enter(const struct job *job)
{
    const char *to = job->task.place[0] ? job->task.place : job->task.outside.directory;
    if (*to && chdir(to))
        _exit(126);
}
