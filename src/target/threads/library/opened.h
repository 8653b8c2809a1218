// What libraries that the program opens while it runs (dynamic.h) do when they are opened and closed: their constructors and
// destructors, and what is left of them afterwards.
//
// The dynamic linker loads them before the first execution, and would run their constructors there. The first of those
// that `heddle cc` makes is the compiler's own, which calls heddle: by then all that was loaded is in place, and in the
// tables that the dynamic linker goes through, the other constructors are replaced by nothing (opened_hold_back). They
// run where the program opens the library: the first time, and again after it was closed, in memory as it was when it
// was loaded. Its destructors run where it is closed for the last time, or at the end of the process.
//
// What others open needs, too, goes when nobody needs it any more. A library that is gone stays in memory, for other
// executions: its variables count as freed, and its code cannot be run.
//
// Libraries in C++ may stay loaded for reasons that are not looked into: they are never taken for gone, and one that has
// destructors must not be closed.
#ifndef TARGET_OPENED_H
#define TARGET_OPENED_H

#include <stdbool.h>
#include <stdint.h>

#include "target/threads/engine/engine.h"

// Around each call that loads a library: what it loads belongs to the library of this number. False if it cannot be followed,
// and engine.unsupported says why.
void opened_begin(void);
bool opened_end(const void *dynamic, int number, bool stays);

// The compiler's own constructor of a unit calls this by way of __tsan_init.
extern bool opened_are_loaded;
void opened_hold_back(void);

// The program opens a library of this number that it did not have open, or closes the last that it had.
void opened_construct(struct thread *t, int number);
void opened_destroy(struct thread *t, int number, const void *pc);

// At the end of the process: those that are open. Whether there is anything to do.
bool opened_have_destructors(void);
void opened_destroy_all(void);

// Whether the address is a variable of a library that is gone, or code of it.
bool opened_holds_gone(uint64_t address);

// After going back: the kernel's tables say again what may be run.
extern uint64_t opened_count;
void opened_follow(void);

#endif
