// What the program under test prints. Implemented by the target; called by the interposed stdio.
//
// It is thrown away during a search and shown in the recorded run; `--output all` keeps it for each execution.
#ifndef TARGET_OUTPUT_H
#define TARGET_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>
#include <stddef.h>
#include <stdint.h>

// Output of the running thread to descriptor `fd` (1 or 2). The text must be taken before another thread is let run: it
// may stand in a buffer that all threads share.
void output_write(int fd, const char *text, size_t size);

// What the execution has printed so far, if that is kept (engine.keeps_output): forgets it; writes it under a heading.
void output_forget(void);
void output_show(uint64_t execution);

// Standard output and error (1 and 2) are taken by heddle as long as they are what they were in the beginning. The program may
// have put a file in their place, by freopen or dup2, and wants to find there what it printed.
void output_remember(void); // before the first execution
bool output_is_standard(int fd);
void input_note_read(int fd); // something reads by this descriptor; if that is the standard input, reports say so

// The running thread is about to call `name` on a stream or descriptor that is not its standard output or error.
void output_elsewhere(const char *name, const void *pc);

// Whether the program may have opened any.
bool output_may_be_elsewhere(void);

// streams.c: the running thread is about to use a stream, by a call that locks it or by one that does not; to look at it, in
// the same two ways; to flush all of them; or to close one.
void stream_use(FILE *stream, const void *pc);
void stream_use_unlocked(FILE *stream, const void *pc);
void stream_look(FILE *stream, const void *pc);
void stream_look_unlocked(FILE *stream, const void *pc);
void stream_use_all(const void *pc);
void stream_close(FILE *stream, const void *pc);

// outside/memory_streams.c: the running thread is about to flush a stream (or all: null), or to close it.
void memory_streams_flush(const FILE *stream, const void *pc);
void memory_streams_close(const FILE *stream, const void *pc);

#endif
