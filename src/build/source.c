#include "build/source.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/scratch.h"
#include "build/cc_driver.h"
#include "build/cc_run.h"

enum { PATH = 4096 + 32 };

static char directory[PATH];
static char program[PATH + 16];

bool is_source(const char *name)
{
    static const char *const endings[] = {".c", ".cc", ".cpp", ".cxx", ".C", ".i"};
    const char *dot = strrchr(name, '.');
    for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
        if (!strcmp(dot, endings[i]))
            return true;
    return false;
}

void source_clean(void)
{
    if (!directory[0])
        return;
    unlink(program);
    rmdir(directory);
    directory[0] = 0;
}

static void say_why(const char *const *sources, int status, const char *without_main)
{
    const char *verb = sources[1] ? " and the other sources have no " : " has no ";
    if (run_was_interrupted(status))
        fprintf(stderr, "heddle: interrupted while %s was being compiled\n", sources[0]);
    else if (status == CC_NO_MAIN)
        fprintf(stderr, "heddle: %s%s%s\n", sources[0], verb, without_main);
    else
        fprintf(stderr, "heddle: %s does not compile\n", sources[0]);
}

int source_build(const char *const *sources, const char *const *flags, const char *without_main, const char **result)
{
    snprintf(directory, sizeof directory, "%s/build-XXXXXX", scratch_directory());
    if (!mkdtemp(directory)) {
        fprintf(stderr, "heddle: no directory to build in (%s): %s\n", directory, strerror(errno));
        directory[0] = 0;
        return 2;
    }
    snprintf(program, sizeof program, "%s/program", directory);
    int status = cc_build(sources, flags, program);
    *result = program;
    if (status)
        say_why(sources, status, without_main);
    return run_was_interrupted(status) ? status : status ? 2 : 0;
}
