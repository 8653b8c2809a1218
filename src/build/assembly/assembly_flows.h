// Which reads of compiled code decide what the program does next, and which end in arithmetic and in stores: a table of the hooks
// of plain accesses, for the search that leaves out what has no data race (model/flow.h).
//
// It goes through each function until nothing changes (assembly_taint.h). A function with something in it that is not understood
// has no entries, and then the runtime knows nothing of its reads.
// Which branches decide nothing says model/flow.h, and assembly_detour.h.
#ifndef BUILD_ASSEMBLY_FLOWS_H
#define BUILD_ASSEMBLY_FLOWS_H

#include "base/buffer.h"
#include "build/assembly/assembly_walk.h"

struct flows;

// `walk` is solved, and was asked for operands.
struct flows *flows_new(const struct unseen_walk *walk);
void flows_free(struct flows *flows);

// How many sites there are.
size_t flows_count(const struct flows *flows);

// Whether the number-th instruction of the file is the call of a site's hook: then its label is to be put behind it.
bool flows_label(const struct flows *flows, size_t number, char *label, size_t room);

// The table, in the section at hand, and the label `.Lheddle_flows` in front of it.
void flows_write(const struct flows *flows, struct buffer *text);

#endif
