// The sources of a program that was built from them, as the search for a mutex needs them (supervise/lock.h).
#ifndef SUPERVISE_LOCK_SOURCE_H
#define SUPERVISE_LOCK_SOURCE_H

#include "supervise/lock.h"
#include "supervise/schedule.h"

// `origin` names sources and flags. Good until lock_source_close.
const struct lock_source *lock_source_open(const struct schedule *origin);
void lock_source_close(void);

#endif
