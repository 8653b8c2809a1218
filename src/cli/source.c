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

static bool is_interruption(int status)
{
    return status == 128 + SIGINT || status == 128 + SIGTERM || status == 128 + SIGHUP || status == 128 + SIGQUIT;
}

int source_build(const char *const *sources, const char *const *flags, const char **result)
{
    static bool watching;
    const char *base = getenv("TMPDIR");
    snprintf(directory, sizeof directory, "%s/heddle-XXXXXX", base && *base ? base : "/tmp");
    if (!mkdtemp(directory)) {
        fprintf(stderr, "heddle: no directory to build in (%s): %s\n", directory, strerror(errno));
        directory[0] = 0;
        return 2;
    }
    if (!watching) {
        atexit(source_clean);
        if (signal(SIGINT, on_end) == SIG_IGN)
            signal(SIGINT, SIG_IGN);
        signal(SIGTERM, on_end);
        signal(SIGHUP, on_end);
        watching = true;
    }
    snprintf(program, sizeof program, "%s/program", directory);
    int status = cc_build(sources, flags, program);
    *result = program;
    if (is_interruption(status)) {
        fprintf(stderr, "heddle: interrupted while %s was being compiled\n", sources[0]);
        return status;
    }
    if (status)
        fprintf(stderr, "heddle: %s does not compile\n", sources[0]);
    return status ? 2 : 0;
}
