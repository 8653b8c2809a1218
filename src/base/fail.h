// Broken invariants stop at once, with their place. Usable inside the program under test: no stdio, no allocation.
#ifndef BASE_FAIL_H
#define BASE_FAIL_H

// Prints "heddle: internal error at FILE:LINE: WHAT" and aborts.
_Noreturn __attribute__((cold)) void fail_at(const char *file, int line, const char *what);

// States an invariant of heddle itself; never used for what a user can get wrong.
#define require(condition) (__builtin_expect(!!(condition), 1) ? (void)0 : fail_at(__FILE__, __LINE__, #condition))

#endif
