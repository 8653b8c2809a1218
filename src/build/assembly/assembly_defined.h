// Which reads of compiled code decide a branch at once, and which bytes of a frame have been set when a function tells of its
// entry: what the runtime has to know to find uses of memory that nobody wrote (model/defined.h).
//
// Both are lower bounds. A read decides a branch if nothing but loading, comparing and branching follows its hook: the value as a
// whole is compared, and the branch is taken or not whatever else holds. Where it takes more than that to tell, nothing is said.
#ifndef BUILD_ASSEMBLY_DEFINED_H
#define BUILD_ASSEMBLY_DEFINED_H

#include "base/buffer.h"
#include "build/assembly/assembly_walk.h"

struct defined;

// `walk` is solved, and was asked for operands.
struct defined *defined_new(const struct unseen_walk *walk);
void defined_free(struct defined *defined);

// How many sites there are.
size_t defined_count(const struct defined *defined);

// Whether the number-th instruction of the file is the call of a site's hook: then its label is to be put behind it.
bool defined_label(const struct defined *defined, size_t number, char *label, size_t room);

// The table, in the section at hand, and the label `.Lheddle_defined` in front of it.
void defined_write(const struct defined *defined, struct buffer *text);

// Tables of functions of which several objects may have a copy, each with what tells the runtime of it. The linker keeps them with
// the copy that it chooses.
void defined_write_groups(const struct defined *defined, struct buffer *text);

#endif
