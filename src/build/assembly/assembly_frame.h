// A function's own frame: which accesses to it need a hook although the compiler gave them none.
//
// A slot whose address is not taken is known to nobody else. Of others the compiler tells: it has hooks for all accesses to
// them, but where a call returns a struct or takes one. So a slot that is computed with and has no hook is the function's own.
#ifndef BUILD_ASSEMBLY_FRAME_H
#define BUILD_ASSEMBLY_FRAME_H

#include "build/assembly/assembly_symbolic.h"

// An access to the frame that no hook tells of. Whether it needs one is known at the function's end.
struct frame_access {
    size_t item;
    struct symbolic place;
    bool fixed; // it is always the same place of the frame
    uint32_t size;
    bool possible; // the compiler may have left its hook out, if others know the place
};

// Bytes of the frame, from its canonical address.
struct range {
    int64_t from, to;
};

struct ranges {
    struct range *range;
    size_t count, room;
};

struct own_frame {
    bool hooks;   // the function has some of the compiler's
    bool told;    // and one at its entry
    bool escapes; // an address in the frame may become known to others
    bool lent;    // to a nested function: gcc has hooks for none of the variables that such a one uses
    struct ranges taken, hooked, own;
    struct frame_access *access;
    size_t accesses, access_room;
};

void frame_clear(struct own_frame *frame);

void frame_add_range(struct ranges *ranges, int64_t from, int64_t size);
void frame_add_access(struct own_frame *frame, struct frame_access access);

// The lowest place whose address is taken; INT64_MAX if there is none.
int64_t frame_lowest_taken(const struct own_frame *frame);

// Whether others may know the place, and the compiler may have left its hook out.
bool frame_needs_hook(const struct own_frame *frame, const struct frame_access *access);

#endif
