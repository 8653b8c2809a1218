// Control over the schedule of a native run: its threads are real, but one runs at a time, and gives its turn away only at calls
// that synchronise. So a run can have the schedule of another one for as long as it can be followed.
//
// Who is next is drawn, and written down (injection_block.turns), or is what a run before had. A turn is followed if its thread can
// run; if it cannot, the turn is left out and the run has *departed*. Behind the last turn it is drawn.
//
// Signals, and with them cancellation, reach a thread only while it has the turn: it blocks all of them while it waits for one.
//
// Nothing waits for another thread in the kernel: locks are tried, and a thread that does not get one is blocked here until
// somebody gives that object back. Time goes on by a little for each look at the clock and each of many accesses; when nobody can
// run, it goes on to the earliest time-out, which fires. A thread that does
// sleep in the kernel with the turn (in a call that is not under control) loses it after a while, which is counted, as is a signal that
// nobody in the program has sent: such a run may have another order next time.
#ifndef INJECTOR_TURNS_H
#define INJECTOR_TURNS_H

#include <pthread.h>
#include <time.h>

#include "injector/injector.h"

extern bool turns_on;

// Whether the calling thread is one that takes turns.
static IN_PLACE bool turns_mine(void)
{
    return unlikely(turns_on) && injector_self.known;
}

void turns_begin(void);           // in the first thread
void turns_add(uint32_t number);  // a thread that is about to be created; its creator says so
void turns_drop(uint32_t number); // it could not be
void turns_name(uint32_t number, pthread_t handle);
void turns_start(void); // in a new thread: waits for its first turn
void turns_end(void);   // the calling thread ends

// Somebody else may be next. Returns when the calling thread is.
void turns_point(void);

// An access to memory, which may be one of a thread that spins: after very many of them somebody else is next.
void turns_tick(void);

// The time, in ns: it is the same in each run that has the same schedule.
uint64_t turns_now(void);

// Waits until somebody wakes whoever waits for this, or for no reason, unless the object is `until` itself, which nobody wakes.
// `until`: or for so long; null: for ever. True: time is up.
bool turns_block(const void *object, const struct timespec *until);

// Lets those run that wait for this, the longest waiting first, but no more than so many.
void turns_wake(const void *object, uint32_t most);

// The same for a signal: until this process sends one, or for a while, since it may come from anywhere.
bool turns_await_signal(const struct timespec *until);
void turns_signalled(void);

// That thread is to be cancelled, or to handle a signal: if it is blocked it may run, and has to look.
void turns_nudge(pthread_t handle);

// Waits until that thread has ended; `until` as above. False: time is up.
bool turns_join(pthread_t handle, const struct timespec *until);
bool turns_ended(pthread_t handle);

#endif
