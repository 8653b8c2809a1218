// The bound that the search is measured against: one execution over and over, with the same fibers, hooks and restart,
// but nobody choosing and nothing kept about what happened.
#ifndef WORKER_BARE_H
#define WORKER_BARE_H

#include <stdint.h>

// Repeats the execution that has just ended `times` times; returns how many events that were.
uint64_t bare_repeat(uint64_t times);

#endif
