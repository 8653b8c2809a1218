// A recording on disk (model/recording_format.h), read record by record in one order in which things happened: by numbers and
// stamps, as the head of the format says.
//
// A file that is cut or damaged is read as far as it goes: the records end where a thread's next one is missing, since from
// there on what the others did is not the whole story. `cut` then says so.
#ifndef TRACE_RECORDING_FILE_H
#define TRACE_RECORDING_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/strings.h"
#include "model/recording_format.h"

// One record as the file has it.
struct filed_record {
    uint32_t thread;
    enum recording_op op;
    uint32_t size; // or flags
    uint64_t address, place, value;
    uint64_t number;                     // its own, or its stamp
    uint64_t before, after;              // values, if the op has any
    const struct recording_unit *follow; // what stands behind the second unit: text, or calls
};

struct recording_file;

// Null: `wrong` (to be freed) says in one sentence why.
struct recording_file *recording_file_open(const char *path, char **wrong);
void recording_file_close(struct recording_file *f);

// The words of FRAME_RUN, and the lines of FRAME_NAMES. Empty if they are lost.
const struct strings *recording_file_run(const struct recording_file *f);
const char *recording_file_names(const struct recording_file *f);

// How it ended; null if that is lost.
const struct recording_end *recording_file_end(const struct recording_file *f);

// From the first record on again.
void recording_file_rewind(struct recording_file *f);

// False: there are no more. What `follow` points to is good until the next call.
bool recording_file_next(struct recording_file *f, struct filed_record *record);

// Why the records end before the run did, once they have been read; null if they do not.
const char *recording_file_cut(const struct recording_file *f);

#endif
