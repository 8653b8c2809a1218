// The names of the program's own functions, from the symbol table of its file.
#ifndef TARGET_FUNCTION_NAME_H
#define TARGET_FUNCTION_NAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The name of the function at this address, cut to `room` bytes with the terminating zero; of a C++ function its last
// part, without namespace and arguments. False if the program has none there.
bool function_name(uint64_t address, char *name, size_t room);

// The symbol of the function that has this address in it, as it is in the file.
bool function_symbol(uint64_t address, char *name, size_t room);

#endif
