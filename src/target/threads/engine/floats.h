// Each thread's floating-point environment: how it rounds, which exceptions it has seen and which ones trap.
//
// The processor has one of them, which all fibers would share. Programs that have a function of <fenv.h>, or
// an instruction that sets how to round, can tell. There each thread's is put aside while it does not run; all others are
// spared that.
#ifndef TARGET_FLOATS_H
#define TARGET_FLOATS_H

#include "target/threads/engine/engine.h"

void floats_prepare(void);           // before the first execution: whether the program can tell (engine.keeps_floats)
void floats_begin(struct thread *t); // a new thread has that of whoever creates it
void floats_leave(struct thread *t); // it stops running: heddle goes on with its own
void floats_enter(struct thread *t);

#endif
