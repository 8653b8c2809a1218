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

// Of heddle's runtime: from now on the process is to end by this signal or, where that is 0, with this status.
__attribute__((weak)) void heddle_framework_expects(int signal, int status);

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

// The test that begins is to end by this signal, or else with this exit status: the process ends with it.
static inline void adaptor_expect(int signal, int status)
{
    if (heddle_framework_expects && adaptor_is_explored())
        heddle_framework_expects(signal, status);
}

// Such a test has come to its end otherwise.
static inline void adaptor_fail_expected(int signal, int status, const char *file, int line)
{
    char text[128];
    if (signal)
        snprintf(text, sizeof text, "the test returned, and was to end by signal %d", signal);
    else
        snprintf(text, sizeof text, "the test returned, and was to end with status %d", status);
    adaptor_fail(text, file, line);
}

// A test that is to end like that more than once, each time in a process of its own.
static inline void adaptor_cannot_end(void)
{
    if (heddle_framework_cannot && adaptor_is_explored())
        heddle_framework_cannot(
            "the test expects a signal or an exit status for each of several runs, which heddle does "
            "not judge");
}

#endif
