// What libraries without hooks do before main, in a process that heddle is going to control.
//
// The dynamic linker runs their constructors, and what these call is the C library's own. What is left of it when main begins
// is taken over: keys and their values, routines that ran once, semaphores, barriers, what signals do. What cannot be taken
// over is named, and the search does not begin.
#ifndef TARGET_EARLY_H
#define TARGET_EARLY_H

#include <stdbool.h>
#include <stdint.h>

bool early_is_controlled(void); // heddle controls this process, or will
bool early_is_now(void);        // it will

// A library took a lock, or let one go; `error` is what the call answered, and is returned.
int early_took(int error, const void *lock, const void *pc);
int early_let_go(int error, const void *lock);

// A library did something that heddle cannot take over.
void early_refuse(const char *what, const void *pc);

// `adopt` is to be called with these when heddle takes over.
void early_keep(void (*adopt)(uint64_t address, uint64_t value), uint64_t address, uint64_t value);

// Heddle takes over. What keeps it from that, in a sentence, or null.
const char *early_end(void);

#endif
