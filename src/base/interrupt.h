// Ctrl-C, SIGTERM and SIGHUP: the first one asks a search to end with what it has covered, the second one ends the command
// at once.
#ifndef BASE_INTERRUPT_H
#define BASE_INTERRUPT_H

#include <stdbool.h>

// From now on the first such signal only leaves a mark; the second one calls `end`, which does not return. A SIGHUP that is
// ignored, as under nohup, stays ignored. SIGINT does not: shells ignore it for processes that they start in the background.
// Calls after the first do nothing.
void interrupt_watch(void (*end)(int signal_number));

// Whether one has come since.
bool interrupted(void);

// Its number.
int interrupt_signal(void);

// Why a search ended then.
const char *interrupt_reason(void);

#endif
