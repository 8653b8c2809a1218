// Where in the user's own source a step of the run stands: not in a header of the system, nor in a library, nor in a function
// that does nothing but lock for its caller. The way there is the call stack.
//
// A library without hooks is on no call stack; then the function is known from what the thread did before, but not the
// line.
#ifndef REPORT_PLACES_H
#define REPORT_PLACES_H

#include "report/names.h"

// The first place on the way from the step outwards that is the user's own; the innermost one if none is. False if nothing is
// known.
bool places_own(const struct names *n, size_t entry, struct symbols_place *place);

// The same as "file:line".
bool places_name(const struct names *n, size_t entry, struct buffer *out);

// Whether the step stands in no function of the user's at all.
bool places_is_foreign(const struct names *n, size_t entry);

// Whether this code is that of heddle's runtime for OpenMP.
bool places_is_openmp(const struct names *n, uint64_t pc);

// Whether the step is one of a test framework, or of a library that works for it.
bool places_is_framework(const struct names *n, size_t entry);

// The whole way, innermost first, inlined calls included; `own` keeps the user's places only, if there are any. Returns how many
// were written.
size_t places_stack(const struct names *n, size_t entry, bool own, struct symbols_place *places, size_t room);

// Whether a place is in a header or library of the system.
bool places_is_system(const struct symbols_place *place);

#endif
