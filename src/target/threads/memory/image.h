// The program's writable memory as it was when main began, for restarting an execution from there.
//
// The image leaves one module out, heddle's runtime, so restoring the program's memory never touches the engine's
// state. That is one reason why the runtime is a shared library: in an archive inside the program its data would have
// been part of the program's. The others: it defines malloc, memcpy, pthread_mutex_lock and many more, and has to reach
// the C library's own definitions behind them (native.h); and as the first library in the link order it stands in front
// of the C library also for the program's other shared libraries. The few things in the runtime that belong to the
// program (the place of strtok) are marked PROGRAM_STATE and put back.
#ifndef TARGET_IMAGE_H
#define TARGET_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/missed.h"

enum { IMAGE_PIECES = 256 }; // at most

// Takes the image: the data of the program and of all libraries but heddle's own, thread-local data of the main thread,
// and what was allocated before main.
void image_take(void);

// Where the program itself lies: at other addresses than its file says, by `base`, if it is position-independent.
void image_program(uint64_t *base, uint64_t *size);

// Puts back whatever differs from it.
void image_restore(void);

// Puts back the piece that begins there, so that the log can take that back.
void image_renew(uint64_t start);

// Each piece of it, but for those of libraries of the system.
void image_visit(void (*visit)(void *context, const void *start, size_t size), void *context);

// What an aligned word was then; false if the image does not have it.
bool image_word(uint64_t address, uint64_t *word);

// Where those pieces are not as they were, word by word, the first `room` of them. Returns how many.
size_t image_compare(struct missed *found, size_t room);

// A number that depends on every byte of the program's data, heaps and live stacks: for --restart=verify.
uint64_t image_hash(void);

// A number that depends on all memory that the program can reach, of libraries and threads too; never 0.
uint64_t image_memory(void);

// Whether a word of the program's data (not of libraries) points into the range.
bool image_points_into(uint64_t start, uint64_t end);

// Whether the program's own code writes nothing behind heddle's back. If it may, `why` gets the name of what does. (What it calls
// is another matter: library_calls.h.)
bool image_all_writes_known(const char **why);

// Whether `heddle cc` was given objects that it had not compiled.
bool image_has_foreign_objects(void);

// Whether the program, or a library of its own, calls the function of this name.
bool image_imports(const char *name);

// The name of a library that puts threads to sleep and wakes them by system calls of its own, which heddle does not see; null
// if there is none.
const char *image_foreign_threads(void);

#endif
