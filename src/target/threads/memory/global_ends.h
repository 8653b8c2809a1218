// The ends of the program's global variables (model/globals.h).
#ifndef TARGET_GLOBAL_ENDS_H
#define TARGET_GLOBAL_ENDS_H

#include "model/globals.h"

// Marks what lies between them, once there is a shadow.
void globals_begin(void);

// The variable behind which the address lies, within the room that nobody has; null if there is none.
const struct global_variable *globals_before(uint64_t address);

// Each unit tells of its variables before main.
void __heddle_globals(const struct globals_unit *unit);

#endif
