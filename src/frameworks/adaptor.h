// What heddle's adaptors of test frameworks share: which test is wanted, where tests are listed, and how an assertion fails.
//
// Each adaptor stands in front of a few functions of its framework, which the linker gives another name (--wrap): __wrap_NAME is
// called in the place of NAME, and __real_NAME is the framework's own. A program that runs on its own does what it would do
// without the adaptor, and adaptors of frameworks that a program does not use are not linked into it.
//
// Adaptors are compiled like the program under test and include nothing of a framework: it need not be there when heddle is built.
#ifndef FRAMEWORKS_ADAPTOR_H
#define FRAMEWORKS_ADAPTOR_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Of heddle's runtime: reports it and does not return, or does nothing in a program that runs on its own.
__attribute__((weak)) void heddle_framework_failed(const char *text, const char *file, int line);

// The same where heddle cannot judge the test: the verdict is incomplete, and says why.
__attribute__((weak)) void heddle_framework_cannot(const char *what);

static inline bool adaptor_is_explored(void)
{
    return getenv("HEDDLE_FRAMEWORK") != NULL;
}

// Whether this test is to be run; without heddle each is.
static inline bool adaptor_wants(const char *name)
{
    const char *wanted = getenv("HEDDLE_TEST");
    return !wanted || !strcmp(wanted, name);
}

// Whether tests are to be listed, and not run.
static inline bool adaptor_lists(void)
{
    return getenv("HEDDLE_LIST_TESTS") != NULL;
}

static inline void adaptor_list(const char *name)
{
    FILE *file = fopen(getenv("HEDDLE_LIST_TESTS"), "a");
    if (!file)
        return;
    fprintf(file, "%s\n", name);
    fclose(file);
}

static inline void adaptor_fail(const char *text, const char *file, int line)
{
    if (heddle_framework_failed && adaptor_is_explored())
        heddle_framework_failed(text, file, line);
}

// A test that is to end by a signal or with a status of its own.
static inline void adaptor_cannot_end(void)
{
    if (heddle_framework_cannot && adaptor_is_explored())
        heddle_framework_cannot("the test expects a signal or an exit status, which heddle does not judge");
}

#endif
