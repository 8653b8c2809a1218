// Functions of the system's libraries that heddle does not define, and what they do to memory: one table.
#ifndef TARGET_LIBRARY_TABLE_H
#define TARGET_LIBRARY_TABLE_H

// The effects (library_effects.h) of a function of this library; null if they are not known.
const char *library_known(const char *name, const char *library);

// The same for a function that heddle defines.
const char *library_passes_on(const char *name);

#endif
