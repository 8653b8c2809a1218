// The work of a suite, whichever process does it: making a program of what the user names, and checking it or one of its tests.
#ifndef CLI_SUITE_WORK_H
#define CLI_SUITE_WORK_H

#include "supervise/check_program.h"
#include "supervise/tests.h"

struct suite;

enum { WORK_INTERRUPTED = 128 }; // and more: a signal interrupted the compiler

// Fills in the name, the program and where it comes from: an executable, or sources that are built together. What it built is good until
// source_clean. 0; or after one sentence 2, or WORK_INTERRUPTED and the number of a signal.
int work_find_program(struct check *check, size_t files, char *const *file);

// Whether the user wants this test.
bool work_is_wanted(const struct suite *s, const char *test);

// How many searches it comes to: tests that the user wants, or 1 for a program without tests.
size_t work_count_wanted(const struct suite *s, const struct check *program, const struct test_list *tests);

// Null, or why this program cannot be checked with the options that were given.
const char *work_refusal(const struct suite *s, const struct check *program, const struct test_list *tests);

// What the names of a test's schedules begin with: "queue.push-then-pop", and no two the same. Null: nothing in particular.
const char *work_new_stem(struct suite *s, const char *program, const char *test);

// One search, in a job of its own, which check->job is afterwards. As check_run.
int work_check(struct check *check, const char *test, const char *stem, struct outcome *outcome);

#endif
