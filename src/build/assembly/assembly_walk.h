// The walk through a function that finds unseen accesses (assembly_unseen.h), of which each file here does a part: what is known
// where paths meet (assembly_merge.c), what an access needs (assembly_access.c), and the way through it (assembly_unseen.c).
#ifndef BUILD_ASSEMBLY_WALK_H
#define BUILD_ASSEMBLY_WALK_H

#include "build/assembly/assembly_cfi.h"
#include "build/assembly/assembly_frame.h"
#include "build/assembly/assembly_listing.h"
#include "build/assembly/assembly_machine.h"
#include "build/assembly/assembly_unseen.h"

struct walked_function {
    size_t first, end; // items
    struct own_frame frame;
};

enum { OPERAND_HOOKS = 6 };

// Where the operand in memory of an instruction lies, or what a hook tells of.
enum operand_kind {
    OPERAND_UNKNOWN,  // nowhere, or nothing is known of it
    OPERAND_HOOKED,   // hooks have told of it
    OPERAND_FRAME,    // a fixed place of the function's own frame
    OPERAND_STACK,    // somewhere in it
    OPERAND_CONSTANT, // what never changes
    OPERAND_ANNOUNCED // it is announced, or is volatile
};

struct walked_operand {
    enum operand_kind kind;
    bool own;   // it may lie in the function's own frame …
    bool fixed; // … at `offset`
    uint32_t size;
    int64_t offset;             // from the canonical frame address
    size_t hook[OPERAND_HOOKS]; // items
    uint32_t hooks;             // more than OPERAND_HOOKS: not all of them are here
    struct symbolic told;       // of a hook: the place. Comparable within a function only
};

struct unseen_walk {
    uint32_t shortest_tail; // of structs whose last word is loaded as a whole; 0: there is none
    struct listing listing;
    struct unseen_access *access;   // of each item
    struct walked_operand *operand; // of each item; null: nobody asks
    bool wants_operands;
    struct symbolics *values;

    struct machine m;
    struct symbolic frame; // the canonical frame address
    struct cfi cfi;
    bool reachable;
    bool changed;      // another round is needed
    uint32_t anywhere; // registers that point into the frame wherever control may leave to a label by its address
    uint32_t anywhere_next;
    struct {
        uint32_t size; // 0: there is none
        bool write;
    } announced; // an access that certainly follows the hook that was called, whatever its operand looks like
    uint32_t
        left; // size of a load that clang leaves behind the hook that makes it, until it was passed; 0: there is none
    bool entered;     // an instruction of the function has been passed
    bool pessimistic; // no register is taken to point into the frame where paths meet
    bool final;       // round: also goes through what no path seems to lead to
};

// Whether it points into the function's frame.
static inline bool walk_is_stack(const struct unseen_walk *u, struct symbolic value)
{
    return symbolic_traits(u->values, value) & SYMBOLIC_STACK;
}

// Registers that do.
uint32_t walk_stack_registers(const struct unseen_walk *u);

// The frame is where the compiler's directives say.
void walk_apply_rule(struct unseen_walk *u);

// Labels: at the function's beginning, at its end, and after each round, which sets `changed` if it told something new.
void walk_open_label(struct unseen_walk *u, struct listing_label *label);
void walk_close_label(struct unseen_walk *u, struct listing_label *label);
void walk_settle_label(struct unseen_walk *u, struct listing_label *label);

// Control may go on at the label with things as they are now.
void walk_flow_to(struct unseen_walk *u, struct listing_label *label);

// The label is the next item.
void walk_pass_label(struct unseen_walk *u, const char *name);

// Notes whether the access of the i-th item, an instruction, has to be announced.
void walk_look_at_access(struct unseen_walk *u, struct walked_function *f, size_t i);

#endif
