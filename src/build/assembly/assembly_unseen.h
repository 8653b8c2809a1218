// Which accesses of compiled code the compiler's hooks leave out: where a call returns a struct into memory, where one is
// passed by value, in functions that are not to be instrumented, and wherever else no hook stands in front of an access.
//
// Of each access it is asked whether a hook has told of that place since the last thing that could have let others run. If
// that is not certain, the access counts as unseen; to tell of it twice does no harm. Memory that nobody else can know of
// needs no hook: constants, and stack slots whose address is not taken. Which slots with an address others know is told by
// the compiler, that has hooks for all accesses to these but where calls are involved.
//
// It goes through each function (assembly_listing.h) with an abstract machine (assembly_machine.h) whose registers and
// stack slots hold symbolic values (assembly_symbolic.h). A hook's call *covers* the place that rdi holds until
// something else is called. Where paths meet, what differs is a value of its own, and the function is gone through
// until nothing changes. Uncertainty costs a redundant call and nothing else, with two exceptions that need care: a
// volatile or atomic access must never be announced as a plain one, and the function's own frame (assembly_frame.h).
// HEDDLE_LEAVE_UNSEEN in the environment of `heddle cc` turns all of this off, for tests that want writes nobody knows
// of. tests/seen compares what hooks are told with valgrind's trace of all accesses, for random programs.
#ifndef BUILD_ASSEMBLY_UNSEEN_H
#define BUILD_ASSEMBLY_UNSEEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct unseen_walk;

struct unseen_walk *unseen_new(void);
void unseen_free(struct unseen_walk *unseen);

// The file from its beginning to its end: functions, labels, directives, and instructions (without labels and comments) with
// whether they are part of inline assembly. An instruction that cannot be read is given as null.
void unseen_function(struct unseen_walk *unseen);
void unseen_label(struct unseen_walk *unseen, const char *name, size_t length);
void unseen_directive(struct unseen_walk *unseen, const char *text);
void unseen_instruction(struct unseen_walk *unseen, const char *text, bool assembly);

// A struct of this size is a type of the program.
void unseen_struct(struct unseen_walk *unseen, uint64_t size);

// Where operands lie is asked for, too (assembly_walk.h).
void unseen_want_operands(struct unseen_walk *unseen);

void unseen_solve(struct unseen_walk *unseen);

// Where the function's return address is, if the function does not tell the runtime itself that it was entered.
enum unseen_caller { CALLER_TOLD, CALLER_ABOVE_RSP, CALLER_ABOVE_RBP };

struct unseen_access {
    bool announce;
    uint32_t bytes; // that are certainly accessed; 0: all of the operand
    enum unseen_caller caller;
    int64_t distance; // of the return address from that register
};

// What to do before the number-th instruction of the file.
struct unseen_access unseen_before(const struct unseen_walk *unseen, size_t number);

#endif
