#include "build/installation.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Sets `found` to DIRECTORY/BELOW without symbolic links and "..", if FILE is in there.
static bool holds(const char *directory, const char *below, const char *file, char found[PATH_MAX])
{
    char path[3 * PATH_MAX];
    snprintf(path, sizeof path, "%s/%s/%s", directory, below, file);
    if (access(path, R_OK))
        return false;
    snprintf(path, sizeof path, "%s/%s", directory, below);
    return realpath(path, found) != NULL;
}

static void find_runtime(struct installation *installation, const char *home)
{
    const char *given = getenv(INSTALLATION_RUNTIME_VARIABLE);
    bool found = given && *given ? holds(given, ".", "libheddle.so", installation->runtime_dir)
                                 : holds(home, ".", "libheddle.so", installation->runtime_dir) ||
                                       holds(home, "../lib/heddle", "libheddle.so", installation->runtime_dir);
    if (!found)
        installation->runtime_dir[0] = 0;
}

int installation_find(struct installation *installation)
{
    char home[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", home, sizeof home - 1);
    if (length <= 0) {
        fputs("heddle: /proc/self/exe cannot be read, so heddle cannot find its own files; mount /proc.\n", stderr);
        return 2;
    }
    home[length] = 0;
    char *slash = strrchr(home, '/');
    if (slash)
        *slash = 0;
    find_runtime(installation, home);
    if (!holds(home, "../include", "heddle", installation->include_dir))
        installation->include_dir[0] = 0;
    return 0;
}
