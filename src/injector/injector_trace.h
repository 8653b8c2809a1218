// Writes the canonical trace of the run (model/canonical.h) if the command asks for one.
//
// A thread writes to a file of its own that is mapped into memory: what a crash leaves behind is whole records up to the first
// zero. A hook comes before its access, so what a write leaves is looked at when its thread comes to its next hook.
#ifndef INJECTOR_TRACE_H
#define INJECTOR_TRACE_H

#include <pthread.h>

#include "injector/injector.h"
#include "model/canonical.h"

extern bool trace_on;

void trace_begin(int folder);               // in the first thread
void trace_begin_thread(const void *frame); // in a thread that is registered
void trace_end_thread(void);
void trace_end(void); // what the last writes left

// By whoever created it: its handle names it from now on.
void trace_name_handle(pthread_t handle, uint64_t path);

void trace_access(const void *p, size_t size, enum canonical_op op, const void *pc);
void trace_event(enum canonical_op op, const void *object, uint64_t value, const void *pc);

// The calling function returns, and its frame is above `frame_end`: what it wrote there last is read while it is there, since other
// functions will use that memory for whatever they like.
void trace_leave(uint64_t frame_end);

uint64_t trace_address(uint64_t address); // its object; 0: elsewhere
uint64_t trace_handle(pthread_t handle);  // path of that thread; 0: unknown

// The heap while a trace is written: memory is never given out twice, so that each block has one name.
void *trace_allocate(size_t size, size_t alignment, const void *pc);
void trace_allocate_nothing(const void *pc); // it fails
bool trace_owns(const void *p);
size_t trace_size(const void *p);
void trace_free(const void *p, const void *pc);

#endif
