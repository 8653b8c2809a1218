// Timers as descriptors (fd_timers.c says when one has expired).
#ifndef TARGET_TIMERS_H
#define TARGET_TIMERS_H

#include "target/threads/descriptor/descriptors.h"

bool timer_has_expired(const struct file *f);
long timer_read(struct fd_call *call, struct thread *t, struct file *f); // of one that has

bool timers_end_wait(const struct thread *t,
                     struct fd_call *call); // a call that would have to wait need not, since one may expire
bool timers_come(struct thread *t,
                 uint32_t outcome); // lets those expire that the thread's call finds so; whether any did

// For states of the program.
bool timers_hold(uint64_t address);
void timer_mix(struct fingerprint *f, const struct file *file);
void timers_pin(uint64_t *pinned);

#endif
