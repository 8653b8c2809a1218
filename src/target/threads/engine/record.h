// Writing the trace of a run (model/trace.h), while engine.record.
#ifndef TARGET_RECORD_H
#define TARGET_RECORD_H

#include <stdint.h>

#include "check/bug.h"
#include "model/exec.h"
#include "model/trace.h"

struct thread;

void record_open(int fd);
uint64_t record_value(uint64_t address, uint32_t size); // what is there, or 0 if nothing is
void record_event(struct thread *t, enum effect effect, uint64_t before, uint64_t after, uint32_t alternative);
void record_access(struct thread *t, uint64_t address, uint32_t size, bool write, const void *pc);
void record_silent(struct thread *t, enum trace_silent kind, uint64_t address, uint64_t value, uint32_t size,
                   const void *pc);
void record_text(struct thread *t, enum trace_type type, uint32_t kind, const void *pc, const char *text);
void record_made(struct thread *t, uint64_t object, const char *what, const void *pc); // a descriptor
void record_blocked(struct thread *t, uint32_t holder);                                // what it is left waiting for
void record_bug(const struct bug *bug);
void record_close(void);

#endif
