// Which earlier failures of an execution a new one may follow from: those of its own thread, those that its thread can know of
// by what the threads have told one another, and those on the same memory. It is one report with them.
#ifndef TARGET_THREADS_AFTERMATH_H
#define TARGET_THREADS_AFTERMATH_H

#include "check/bug.h"

// Fills in what the newest failure follows, in the order of `engine.failures`; all others stand before it.
void aftermath_note(struct bug *newest);

#endif
