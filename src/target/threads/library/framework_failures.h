// Assertions of test frameworks (model/framework.h) that fail: seen where the framework throws, aborts, or tells heddle's adaptor,
// and reported at the place of the assertion with what the framework says.
//
// That place is the innermost function of the program that is not the framework's own: its functions are told by their names,
// since they may stand in a library, in the program itself or in headers.
#ifndef TARGET_FRAMEWORK_FAILURES_H
#define TARGET_FRAMEWORK_FAILURES_H

#include <stdbool.h>
#include <stdint.h>

struct thread;

// Before the image of the program's memory is taken.
void framework_prepare(void);

// The thread throws an exception of this type (a std::type_info): stops it if that is how an assertion fails.
void framework_throws(struct thread *t, const void *exception, const void *type);

// The thread aborts, called from there: stops it if it is the framework that does.
void framework_aborts(struct thread *t, const void *pc);

// A test may be to end by a signal, or with a status other than 0. Whether it is to end by this signal; whether it is
// to end in such a way at all, and that it does not was told if it does not.
bool framework_expects_signal(int number);
bool framework_judges_status(struct thread *t, uint32_t status, const void *pc);

// Whether heddle trusts a function or a library, since it is the framework's.
bool framework_trusts(const char *name, const char *library);

#endif
