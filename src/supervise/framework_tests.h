// The tests of a program with a test framework (model/framework.h): which it has, and how one of them is run.
#ifndef SUPERVISE_FRAMEWORK_TESTS_H
#define SUPERVISE_FRAMEWORK_TESTS_H

#include "base/strings.h"
#include "job/job.h"
#include "model/framework.h"
#include "supervise/run.h"

// Whose tests the executable has.
enum framework framework_of(const char *program);

// Adds the names of its tests, as the framework has them, by running the program on its own. False if it does not list any.
bool framework_list(enum framework framework, const struct subject *subject, struct strings *names);

// Makes the task that of one test, or with null of the program as the user runs it. Adds the arguments that select the test.
void framework_select(enum framework framework, const struct subject *subject, const char *test, struct task *task,
                      struct strings *arguments);

#endif
