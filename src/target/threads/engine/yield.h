// What interposed time and random functions need of the target beyond access.h.
#ifndef TARGET_YIELD_H
#define TARGET_YIELD_H

#include <stdint.h>

// The virtual clocks: CLOCK_REALTIME (and TAI) read realtime_start() seconds + thread_now(), all others thread_now().
// Whoever turns an absolute deadline of the program into virtual time subtracts it again. It is when the search began, if
// the user allows the clock to be read, and some day otherwise: the same in every execution.
uint64_t realtime_start(void);

// The running thread gives way to the others.
void thread_yield(const void *pc);

// The running thread ends here if it was asked to.
void thread_cancellation_point(const void *pc);

// One word of state of the running thread, rolled back with it. The pointer holds until another thread may run.
uint64_t *thread_random_state(void);

#endif
