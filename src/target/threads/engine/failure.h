// What fails, and what becomes of the thread in which it does.
#ifndef TARGET_FAILURE_H
#define TARGET_FAILURE_H

#include <stdbool.h>
#include <stdint.h>

#include "check/bug.h"

struct thread;

void fail(struct thread *t, enum bug_kind kind, uint64_t address, const void *pc, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
_Noreturn void fail_and_stop(struct thread *t, enum bug_kind kind, uint64_t address, const void *pc, const char *format,
                             ...) __attribute__((format(printf, 5, 6)));
// A call that is used wrongly. Returns only if the thread goes on, since this is tolerated: the call then has to do what the
// C library's does.
void misuse(struct thread *t, enum bug_kind kind, uint64_t address, const void *pc, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
void fail_signal(struct thread *t, int number, uint64_t address, const void *pc, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
_Noreturn void fail_stop(struct thread *t);                       // after a failure: its thread stops
_Noreturn void fail_assumption(struct thread *t, const void *pc); // this execution is not one to look at
void fail_race(struct thread *t, uint64_t address, uint32_t size, bool write, uint32_t other, const void *pc);
// As the detector found them. Those of an access to several words wait for fail_range: what is next to each other and
// races with the same thread is one race.
void fail_races(struct thread *t, uint64_t word, uint8_t racing, bool write, const void *pc, bool more);
void fail_range(struct thread *t, bool write, const void *pc);
void cannot_follow(const char *what); // gives the search up; also while an operation is carried out
_Noreturn void unsupported(struct thread *t, const char *what);
bool in_heddle(uint64_t pc); // whether that is code of heddle's own
void failure_catch_signals(void);

// A copy of the process that is no worker any more ends by what would end any other.
void failure_let_end(void);
void failure_alternate_stack(void); // for handling signals, of the calling kernel thread
void failure_start_timer(void);     // in each process: it is not inherited
void failure_stop_timer(void);

#endif
