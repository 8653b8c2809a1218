// Threads that go in circles (spin.c says when they do).
#ifndef TARGET_SPIN_H
#define TARGET_SPIN_H

#include <stdbool.h>
#include <stdint.h>

struct thread;

void spin_look(struct thread *t);            // at a thread that has just parked
uint64_t spin_stack(const struct thread *t); // stands for the contents of its stack; 0: nobody looked
bool spin_over(const struct thread *t);
bool spin_is_cut(const struct thread *t); // it may not go on though something has changed, since it saw that before
bool spin_holds(const struct thread *t);  // it may not go on, or not yet
bool spin_is_aimless(const struct thread *t);
void spin_tried(struct thread *t, uint32_t lock); // it is about to look whether a lock is free

#endif
