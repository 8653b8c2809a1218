#include "supervise/executable.h"

#include <stdio.h>
#include <string.h>

#include "build/installation.h"
#include "supervise/subject.h"

const char *executable_trouble(const char *path, const char **preload)
{
    static struct installation installation;
    static char runtime[PATH_MAX + 16];
    bool plain = false;
    const char *trouble = subject_trouble(path, &plain);
    *preload = NULL;
    if (trouble || !plain)
        return trouble;
    if (installation_find(&installation) || !installation.runtime_dir[0])
        return "was not built by heddle, and the libheddle.so to put in front of it is not there";
    if (strpbrk(installation.runtime_dir, " :;'\t\n"))
        return "was not built by heddle, and libheddle.so cannot be put in front of it: the path of its folder has a "
               "blank, "
               "colon or quote, which LD_PRELOAD does not take; set HEDDLE_RUNTIME_DIR to another";
    snprintf(runtime, sizeof runtime, "%s/libheddle.so", installation.runtime_dir);
    *preload = runtime;
    return NULL;
}
