#include "build/cluster_source.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Calls of the C library that heddle answers, so that all memory of a node is its own (see target/nodes/memory.c).
static void add_wraps(struct strings *command)
{
    static const char *const calls[] = {"malloc",  "free",    "calloc",        "realloc",     "strdup", "strndup",
                                        "memcpy",  "memmove", "memset",        "memcmp",      "strcpy", "strncpy",
                                        "strcat",  "strlen",  "__assert_fail", "rand",        "random", "srand",
                                        "srandom", "time",    "clock_gettime", "gettimeofday"};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        strings_add_format(command, "-Wl,--wrap=%s", calls[i]);
}

// The compiler's hooks for memory, as calls for every access (see target/nodes/access.c).
static void add_hooks(struct strings *command, const char *compiler)
{
    static const char *const gcc[] = {"--param=asan-stack=0", "--param=asan-globals=0",
                                      "--param=asan-instrumentation-with-call-threshold=0"};
    static const char *const clang[] = {"-asan-stack=0", "-asan-globals=0",
                                        "-asan-instrumentation-with-call-threshold=0"};
    bool is_clang = strstr(compiler, "clang");
    strings_add(command, "-fsanitize=kernel-address");
    for (size_t i = 0; i < sizeof gcc / sizeof *gcc; i++) {
        if (is_clang)
            strings_add(command, "-mllvm");
        strings_add(command, is_clang ? clang[i] : gcc[i]);
    }
}

// heddle as the compiler's assembler, which looks for what is never read (assembly_unread.h). Without it there is nothing amiss.
static bool add_assembler(struct strings *command, const char *directory, const char *compiler)
{
    char self[PATH_MAX], link[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    self[length > 0 ? length : 0] = 0;
    snprintf(link, sizeof link, "%s/as", directory);
    if (length <= 0 || symlink(self, link))
        return false;
    strings_add_format(command, "-B%s/", directory);
    if (strstr(compiler, "clang"))
        strings_add(command, "-no-integrated-as");
    return true;
}

int cluster_source_build(struct loadable *protocol, const char *path, const char *flags)
{
    struct strings own = {0};
    const char *directory = loadable_directory(protocol);
    if (!directory)
        return -1;
    if (add_assembler(&own, directory, loadable_compiler()))
        setenv("HEDDLE_UNREAD", "1", 1);
    strings_add(&own, "-fno-optimize-sibling-calls");
    strings_add(&own, "-Wl,-z,now");
    add_hooks(&own, loadable_compiler());
    add_wraps(&own);
    int status = loadable_build(protocol, path, &own, flags);
    strings_free(&own);
    unsetenv("HEDDLE_UNREAD");
    return status;
}
