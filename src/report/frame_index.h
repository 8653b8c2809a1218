// Which call of a run a place on a stack belonged to at a time. A run has a frame for every few accesses, and each access of a report
// asks; so frames are listed by the parts of stacks that they cover, small ones by small parts.
#ifndef REPORT_FRAME_INDEX_H
#define REPORT_FRAME_INDEX_H

#include <stddef.h>
#include <stdint.h>

#include "base/table.h"

struct trace_frame;
struct frame_list;

// Zero-initialised is empty.
struct frame_index {
    struct table parts; // of stacks
    struct frame_list *lists;
    size_t room;
};

// Adds frame number `number`; the frames are added in the order of their time.
void frame_index_add(struct frame_index *x, const struct trace_frame *frames, size_t number);

// The last frame that covers the address and is no later than the entry; null if there is none.
const struct trace_frame *frame_index_find(const struct frame_index *x, const struct trace_frame *frames,
                                           uint64_t address, size_t entry);

void frame_index_free(struct frame_index *x);

#endif
