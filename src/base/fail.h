// Broken invariants stop heddle at once, with their place. So does a program or search that needs more room than heddle
// has, in words that a user understands. All of this can be used inside the program under test: it needs no stdio and
// no allocation.
#ifndef BASE_FAIL_H
#define BASE_FAIL_H

// Prints "heddle: internal error at FILE:LINE: WHAT" and aborts.
_Noreturn __attribute__((cold)) void fail_at(const char *file, int line, const char *what);

// States an invariant of heddle itself; never used for what a user can get wrong.
#define require(condition) (__builtin_expect(!!(condition), 1) ? (void)0 : fail_at(__FILE__, __LINE__, #condition))

// The program under test, or the search of it, needs more of `what` than heddle has room for. That is nobody's mistake: the
// search ends here, with what it has covered. Does what fail_out_of_room says, prints one sentence and ends the process
// with the status of an incomplete check.
_Noreturn __attribute__((cold)) void out_of_room(const char *what);

// How the process tells others why it ends; null: it does not.
extern void (*fail_out_of_room)(const char *what);

enum { FAIL_INCOMPLETE = 3 };

#define require_room(condition, what) (__builtin_expect(!!(condition), 1) ? (void)0 : out_of_room(what))

#endif
