#include "cli/cluster_source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cc_run.h"
#include "cli/misuse.h"
#include "cli/place.h"
#include "cli/strings.h"
#include "cluster/lines.h"

// Whether the word names a library or where libraries are, which has to come behind what needs it.
static bool is_library(const char *word)
{
    return word[0] == '-' && (word[1] == 'l' || word[1] == 'L');
}

// Those that are libraries, or those that are not.
static void add_words(struct strings *command, const char *words, bool libraries)
{
    for (const char *at = words; at && *at;) {
        size_t length = strcspn(at, " \t");
        if (length && is_library(at) == libraries)
            strings_add_part(command, at, length);
        at += length;
        at += strspn(at, " \t");
    }
}

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

static int compile(const char *name, const char *path, const char *flags, const char *output)
{
    struct strings command = {0};
    struct place place;
    const char *compiler = getenv("HEDDLE_CC");
    if (place_find(&place))
        return 2;
    compiler = compiler && *compiler ? compiler : "gcc";
    add_words(&command, compiler, false);
    static const char *const fixed[] = {"-O2", "-g", "-shared", "-fPIC", "-fno-optimize-sibling-calls", "-Wl,-z,now"};
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        strings_add(&command, fixed[i]);
    add_hooks(&command, compiler);
    if (place.include_dir[0]) {
        strings_add(&command, "-idirafter");
        strings_add(&command, place.include_dir);
    }
    add_words(&command, flags, false);
    strings_add(&command, "-o");
    strings_add(&command, output);
    strings_add(&command, path);
    add_words(&command, flags, true);
    add_wraps(&command);
    int status = run_wait(&command);
    strings_free(&command);
    return status ? misuse_file_is(name, path, "does not compile") : 0;
}

int cluster_source_open(const char *command, const char *path, const char *flags, const struct world_options *options)
{
    if (access(path, R_OK))
        return misuse_file_is(command, path, "cannot be read");
    char *directory = run_scratch(), *object = NULL;
    if (!directory)
        return 2;
    if (asprintf(&object, "%s/protocol.so", directory) < 0)
        object = NULL;
    int status = object ? compile(command, path, flags, object) : 2;
    const char *wrong = status ? NULL : world_open(object, options);
    if (!status && !wrong)
        lines_open(object, world.library.base);
    run_remove(directory);
    free(directory);
    free(object);
    return wrong ? misuse_of_file(command, path, wrong) : status;
}
