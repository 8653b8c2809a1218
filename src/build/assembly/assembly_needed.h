// Which registers and words of the frame are needed where, in a compiler's output.
//
// That is found by going backwards through the flow of control, as in assembly_liveness.c. Of registers only those matter
// that a call leaves as they are (they lie on the stack while their thread waits in it); of the frame, what the function
// itself stores by names relative to its frame pointer.
//
// A word whose address is taken may be read through that address. gcc takes many addresses only to tell the hooks of them, or
// to hand `expected` to the hook of a compare-and-swap: those are followed forwards, from register to register, and what
// a hook does with them is known. As soon as an address goes anywhere else (into memory, into a function), nothing of this
// frame is cleared: how far the object reaches is not known here.
//
// Functions with inline assembly, landing pads or calls that return twice are left alone, and so are frames that are
// addressed by anything but the frame pointer.
#ifndef BUILD_ASSEMBLY_NEEDED_H
#define BUILD_ASSEMBLY_NEEDED_H

#include "build/assembly/assembly_instruction.h"
#include "build/assembly/assembly_units.h"

struct needed_node {
    struct instruction code;
    uint32_t live;                        // registers, right before it
    struct units units_live;              // of the frame, right before it
    struct units uses, kills;             // by itself
    int32_t holds[INSTRUCTION_REGISTERS]; // before it
    long to;
    size_t function;
    bool starts;
};

struct needed_target {
    char name[EFFECTS_NAME];
    long node;
};

struct needed_function {
    char name[EFFECTS_NAME];
    bool hands_off; // nothing in it is cleared
    bool no_frame;  // its frame is left alone
    size_t instructions;
    struct units stored;
};

struct needed {
    struct needed_node *nodes;
    size_t count, room;
    struct needed_target *labels;
    size_t label_count, label_room;
    struct needed_function *functions; // the first is what stands outside of all
    size_t function_count, function_room, current;
    bool starts;
};

// The file from its beginning to its end. An instruction that cannot be read is given as null.
void needed_function(struct needed *needed, const char *name, size_t length);
void needed_label(struct needed *needed, const char *name, size_t length);
void needed_instruction(struct needed *needed, const char *text);

// Nothing is known of what the current function does.
void needed_leave_alone(struct needed *needed);

// Afterwards all nodes and functions have what is said of them above.
void needed_solve(struct needed *needed);
void needed_free(struct needed *needed);

// Whether this is a hook that tells of an access or a function, and does nothing else.
bool needed_is_announcement(const char *callee);

#endif
