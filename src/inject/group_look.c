#include "inject/group_look.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// The fields of a stat file from the state on, behind the name, which may have any character in it. False: it is gone.
static bool read_stat(const char *path, char *state, long *group, unsigned long *user, unsigned long *system)
{
    char text[1024];
    FILE *file = fopen(path, "r");
    if (!file)
        return false;
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    const char *from = strrchr(text, ')');
    return from &&
           sscanf(from + 1, " %c %*d %ld %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", state, group, user, system) == 4;
}

static void look_at_tasks(const char *process, struct group_look *look)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "/proc/%s/task", process);
    DIR *tasks = opendir(path);
    for (const struct dirent *entry; tasks && (entry = readdir(tasks));) {
        char state;
        long group;
        unsigned long user, system;
        snprintf(path, sizeof path, "/proc/%s/task/%s/stat", process, entry->d_name);
        if (*entry->d_name == '.' || !read_stat(path, &state, &group, &user, &system))
            continue;
        look->runs |= state == 'R' || state == 'D';
        look->seconds += (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
    }
    if (tasks)
        closedir(tasks);
}

struct group_look group_look(pid_t group)
{
    struct group_look look = {0};
    DIR *processes = opendir("/proc");
    for (const struct dirent *entry; processes && (entry = readdir(processes));) {
        char path[PATH_MAX], state;
        long its;
        unsigned long user, system;
        snprintf(path, sizeof path, "/proc/%s/stat", entry->d_name);
        if (*entry->d_name >= '0' && *entry->d_name <= '9' && read_stat(path, &state, &its, &user, &system) &&
            its == group)
            look_at_tasks(entry->d_name, &look);
    }
    if (processes)
        closedir(processes);
    return look;
}
