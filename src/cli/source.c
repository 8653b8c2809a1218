#include "cli/source.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cc.h"

enum { PATH = 512 };

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

static void on_end(int number)
{
    source_clean();
    signal(number, SIG_DFL);
    raise(number);
}

const char *source_build(const char *const *sources, const char *const *flags)
{
    const char *base = getenv("TMPDIR");
    snprintf(directory, sizeof directory, "%s/heddle-XXXXXX", base && *base ? base : "/tmp");
    if (!mkdtemp(directory)) {
        fprintf(stderr, "heddle: no directory to build in (%s): %s\n", directory, strerror(errno));
        directory[0] = 0;
        return NULL;
    }
    atexit(source_clean);
    signal(SIGTERM, on_end);
    signal(SIGHUP, on_end);
    snprintf(program, sizeof program, "%s/program", directory);
    if (cc_build(sources, flags, program)) {
        fprintf(stderr, "heddle: %s does not compile\n", sources[0]);
        return NULL;
    }
    return program;
}
