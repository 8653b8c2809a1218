// Runs a program natively, with the recorder in front of heddle's runtime, and writes what it does to a file while it runs.
//
// The two share a block of memory with the chunks that the program's threads fill (model/recording_format.h). Whatever happens
// to the program, what it has written there is not lost.
#ifndef SUPERVISE_RECORD_PROGRAM_H
#define SUPERVISE_RECORD_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

struct record_request {
    const char *program;
    const char *const *sources,
        *const *flags; // that it was built from for this, ended by null pointers; null: it is no such one
    char **arguments;  // without the program's name, ended by a null pointer; null: none
    const char *path;  // of the recording
    uint64_t limit;    // bytes of the file
    bool stacks, full, values;
    bool without_hooks; // the program was not built by heddle cc
};

struct record_outcome {
    int status;        // of the program, as waitpid gives it
    uint64_t bytes;    // of the file
    uint32_t threads;  // that were recorded
    uint32_t stop;     // enum recording_stop: why the recording ends before the program does
    uint64_t lost;     // records that signal handlers would have made amid others
    bool not_attached; // the program never loaded the recorder
    bool no_room;      // … or the recorder had no address space for its shadow
    int error;         // errno of a write that failed; 0: none did
};

// 0, or 2 after one sentence if the program could not be run or nothing could be written.
int record_program(const struct record_request *request, struct record_outcome *outcome);

#endif
