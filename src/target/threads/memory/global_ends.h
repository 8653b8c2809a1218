// The ends of the program's global variables (model/globals.h).
#ifndef TARGET_GLOBAL_ENDS_H
#define TARGET_GLOBAL_ENDS_H

#include <stdbool.h>

#include "model/globals.h"

// Marks what lies between them, once there is a shadow.
void globals_begin(void);

struct global_variable {
    uint64_t start, end;
};

// Finds the variable behind which the address lies, within the room that nobody has; false if there is none.
bool globals_before(uint64_t address, struct global_variable *variable);

// Each unit tells of its variables before main.
void __heddle_globals(const struct globals_unit *unit);

#endif
