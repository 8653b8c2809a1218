#include "build/cc_compiler.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text.h"

// Whether `COMPILER --version` speaks of clang: for compilers whose name does not tell, such as cc.
static bool version_says_clang(const struct strings *compiler)
{
    int ends[2];
    char text[512];
    if (pipe(ends))
        return false;
    pid_t child = fork();
    if (!child) {
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        struct strings command = {0};
        for (size_t i = 0; i < compiler->count; i++)
            strings_add(&command, compiler->item[i]);
        strings_add(&command, "--version");
        execvp(command.item[0], command.item);
        _exit(127);
    }
    close(ends[1]);
    size_t length = 0;
    ssize_t got;
    while (length < sizeof text - 1 && (got = read(ends[0], text + length, sizeof text - 1 - length)) > 0)
        length += (size_t)got;
    close(ends[0]);
    if (child > 0)
        waitpid(child, NULL, 0);
    text[length] = 0;
    return strstr(text, "clang") != NULL;
}

static bool is_clang(const struct strings *compiler)
{
    const char *name = text_file_name(compiler->item[compiler->count - 1]);
    if (strstr(name, "clang"))
        return true;
    return !strstr(name, "gcc") && !strstr(name, "g++") && version_says_clang(compiler);
}

bool compiler_find(bool cxx, struct strings *compiler)
{
    const char *c = getenv("HEDDLE_CC"), *given = cxx ? getenv("HEDDLE_CXX") : c;
    char derived[PATH_MAX];
    const char *clang = c ? strstr(text_file_name(c), "clang") : NULL;
    if (cxx && !(given && *given) && clang && !strstr(clang, "clang++")) {
        snprintf(derived, sizeof derived, "%.*sclang++%s", (int)(clang - c), c, clang + strlen("clang"));
        given = derived;
    }
    if (!given || !*given)
        given = cxx ? "g++" : "gcc";
    if (strchr(given, '/') && !access(given, X_OK)) { // a path, perhaps with spaces
        strings_add(compiler, given);
    } else {
        for (size_t length; *(given += strspn(given, " \t")); given += length) {
            length = strcspn(given, " \t");
            strings_add_part(compiler, given, length);
        }
    }
    if (!compiler->count)
        strings_add(compiler, cxx ? "g++" : "gcc");
    return is_clang(compiler);
}
