// Recordings as text, one record a line, for tests and for people:
//
//     program ./app first second      # what ran; may be missing
//     cut the disk was full           # why it does not go to the end; may be missing
//     semaphore s 2                   # its value at the beginning, if that is not 0
//     main create T1 @app.c:30:main
//     T1 lock m @app.c:12:work
//     T1 read x @app.c:13
//     T1 unlock m
//
// THREAD ACTION [WHAT [OTHER]] [fail] [try] [acquire] [release] [@FILE:LINE[:FUNCTION]]; `#` begins a comment. Actions are the names in
// record_table. A variable is NAME[+OFFSET][:SIZE], by default of 4 bytes; so variables of one struct have one NAME. OTHER of an
// access is the VALUE that was read, or BEFORE->AFTER of a write (BEFORE->? if what it left is not known). After
// `allocate NAME [SIZE]` the name stands for a new block. A thread that nobody has created was there at the beginning.
#ifndef TRACE_RECORDING_TEXT_H
#define TRACE_RECORDING_TEXT_H

#include <stdio.h>

#include "trace/recording.h"

// A finished recording, or null: then `wrong` (to be freed) says in one sentence why.
struct recording *recording_read_text(FILE *file, const char *path, char **wrong);

#endif
