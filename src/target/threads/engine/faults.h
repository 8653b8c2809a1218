// Calls that may fail: whether one does is the search's choice (model/fault.h), as long as the execution may have more faults.
//
// Only calls of the program itself fail, and of libraries that were compiled with it. What the C library allocates for
// itself does not.
#ifndef TARGET_FAULTS_H
#define TARGET_FAULTS_H

#include "base/paths.h"
#include "model/fault.h"
#include "target/threads/engine/engine.h"

// How many outcomes such a call has now: one if it cannot fail.
uint32_t faults_outcomes(const struct request *r);

// What an outcome of it stands for: 0, an error number, FAULT_SHORT or FAULT_LOST.
int faults_way_of(const struct request *r, uint32_t outcome);

// The rare part of fault_strikes.
int faults_choose(struct thread *t, enum fault_family family, const char *call, const void *pc);

// Whether this call, which the program makes at `pc`, fails: 0, an error number, FAULT_SHORT or FAULT_LOST. `call` stays.
static IN_PLACE int fault_strikes(enum fault_family family, const char *call, const void *pc)
{
    struct thread *t = engine.running;
    return unlikely(engine.rules.faults[family].most) && t ? faults_choose(t, family, call, pc) : 0;
}

// The same for a call that transfers `size` bytes: sets errno and returns true if it fails; or leaves less to transfer.
bool faults_transfer(enum fault_family family, const char *call, size_t *size, const void *pc);

#endif
