// What a suite comes to next, done ahead by processes beside each other (supervise/errand.h): programs are built and tests checked
// before their turn to be reported has come.
//
// A test is begun only when all programs before its own are built and their tests known, and begun in the order of the report. So the
// names of schedules, which must differ, and whether something ends the suite before a test do not depend on how many workers there are.
// If there are more workers than programs and tests, they share the searches, each as many as any other of its program.
#ifndef CLI_SUITE_AHEAD_H
#define CLI_SUITE_AHEAD_H

#include "cli/suite.h"

struct suite_ahead;

// Of programs that have to be built one by one; or of one that is built. With as many workers as the task asks for. Null after one sentence.
struct suite_ahead *ahead_new(struct suite *s, const struct strings *programs);
struct suite_ahead *ahead_new_of(struct suite *s, const struct check *built);
void ahead_free(struct suite_ahead *a);

// Waits until a program is built. Returns what work_find_program does, with what that fills in; nothing is filled in if it was not
// begun, since the user wants an end. What is filled in is good until ahead_leave_program: nothing more is asked of it then.
int ahead_program(struct suite_ahead *a, size_t which, struct check *check);
void ahead_leave_program(struct suite_ahead *a, size_t which);

// Waits for a check of the program: of one test, or with null as a whole. Null if it came to nothing; then *why says so, or is null if
// the check was not begun, since the user wants an end. Good until ahead_leave_program.
const struct report_summary *ahead_check(struct suite_ahead *a, size_t which, const char *test, const char **why);

#endif
