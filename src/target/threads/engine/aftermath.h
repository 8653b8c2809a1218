// Which earlier failures of an execution a new one may follow from: those of its own thread, those that its thread can know of
// by what the threads have told one another, and those on the same memory. It is one report with them.
//
// A race is no reason for one on other memory, unless both are between the same threads in the same step, nor for what
// is found of the whole run at its end. The worker keeps these sets with the bugs, and prefers the first run in which a
// bug follows none. supervise/followers.h makes reports of them.
#ifndef TARGET_THREADS_AFTERMATH_H
#define TARGET_THREADS_AFTERMATH_H

#include "check/bug.h"

// Fills in what the newest failure follows, in the order of `engine.failures`; all others stand before it.
void aftermath_note(struct bug *newest);

#endif
