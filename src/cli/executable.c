#include "cli/executable.h"

#include <stdio.h>
#include <string.h>

#include "cli/place.h"
#include "supervise/subject.h"

const char *executable_trouble(const char *path, const char **preload)
{
    static struct place place;
    static char runtime[PATH_MAX + 16];
    bool plain = false;
    const char *trouble = subject_trouble(path, &plain);
    *preload = NULL;
    if (trouble || !plain)
        return trouble;
    if (place_find(&place) || !place.runtime_dir[0])
        return "was not built by heddle, and the libheddle.so to put in front of it is not there";
    if (strpbrk(place.runtime_dir, " :;'\t\n"))
        return "was not built by heddle, and libheddle.so cannot be put in front of it: the path of its folder has a "
               "blank, "
               "colon or quote, which LD_PRELOAD does not take; set HEDDLE_RUNTIME_DIR to another";
    snprintf(runtime, sizeof runtime, "%s/libheddle.so", place.runtime_dir);
    *preload = runtime;
    return NULL;
}
