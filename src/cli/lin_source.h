// The sources of an object for `heddle lin`: their statements, and programs made of them with changes.
#ifndef CLI_LIN_SOURCE_H
#define CLI_LIN_SOURCE_H

#include "supervise/lock.h"
#include "supervise/schedule.h"

// Both lists are those that the program was built from. Good until lin_source_close.
const struct lock_source *lin_source_open(const struct schedule *origin);
void lin_source_close(void);

#endif
