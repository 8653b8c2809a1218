// Lines of the protocol's source for addresses in its code.
#ifndef CLUSTER_LINES_H
#define CLUSTER_LINES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/buffer.h"

// The object as it was loaded; its file may be removed afterwards.
void lines_open(const char *object, uintptr_t base);
void lines_close(void);

// Writes " at FILE:LINE in FUNCTION" for what a call returns to, or nothing if that is not known.
void lines_tell(uintptr_t place, char *text, size_t room);

// Appends the name of the global variable, or part of one, at this address; false if there is none.
bool lines_name(uintptr_t address, size_t size, struct buffer *text);

#endif
