// JUnit's XML, which most build servers read: a suite per program, a case per test (or one for a program without tests).
// A bug is a failure, with the whole report as its text; what could not be checked or covered is an error.
#ifndef REPORT_JUNIT_H
#define REPORT_JUNIT_H

#include <stdio.h>

#include "report/report.h"

// Each summary is turned into text when it is added: nothing it points to is needed afterwards.
struct junit;
struct junit *junit_new(void);
void junit_add(struct junit *junit, const struct report_summary *summary);

// Writes and frees it. 0, or -1 if it could not be written.
int junit_write(struct junit *junit, FILE *out, const struct report_end *end);

#endif
