// Writes a recording as model/recording_format.h has it on disk.
#ifndef TRACE_RECORDING_WRITE_H
#define TRACE_RECORDING_WRITE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"
#include "model/recording_format.h"

// What ran. Lists end with a null pointer; null: there are none.
struct recording_origin {
    const char *program;                       // also if it was built from …
    const char *const *sources, *const *flags; // … these, for this run
    const char *const *arguments;
    bool without_hooks; // it was not built by heddle cc, so its accesses to memory are not seen
};

struct recording_writer {
    int fd;
    uint64_t written; // bytes so far
    int error;        // errno of the first write that failed; 0: none did
    void *compressor;
    char *room; // for what is compressed
    uint64_t room_size;
};

// Creates the file, or empties it. False: errno says why not.
bool recording_writer_open(struct recording_writer *w, const char *path);

// A frame of this kind; thread and order count only for FRAME_UNITS.
void recording_writer_frame(struct recording_writer *w, enum recording_frame_kind kind, uint32_t thread, uint32_t order,
                            const void *contents, uint32_t size);

// The first frame.
void recording_writer_run(struct recording_writer *w, const struct recording_origin *origin);

// The lines of recording_names_give, so that the recording can be read when the program is another one, or gone.
void recording_writer_names(struct recording_writer *w, const struct buffer *names);

// Closes the file; false if something could not be written, as errno says.
bool recording_writer_close(struct recording_writer *w);

// What stands in a frame's checksum.
uint64_t recording_checksum(struct recording_frame frame, const void *stored);

#endif
