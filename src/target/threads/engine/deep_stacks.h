// Deep stacks: a step keeps only the part of its thread's stack that it can change without anybody's knowing.
//
// Keeping all of the stack at each step is quick while it is small. Hundreds of calls deep it is most of the cost of a step,
// and nearly all of what is copied never changes. So once a search has kept large stacks often, it begins anew with
// `engine.deep_stacks`, in which the hooks at entries and exits of functions note the stack pointer of each call.
//
// Why that is enough. Every store of the program has a hook, or was announced by heddle's assembler, and is logged, except
// those that the compiler makes to the frame of the function that runs: to variables that nobody else knows of, to saved
// registers, and to arguments that the function got on the stack, which lie in its caller's frame. Of the functions that a
// thread is in, each has its frame below the stack pointer that its caller had at its own entry. So while no function has
// returned, all that changes unlogged lies below the stack pointer of the caller's caller: that is where the kept part ends.
// When a function is about to return, and the thread has not been that far up in this step, the part is extended first.
// Code without hooks between two functions (a library's sorting, with the program's comparison) lies between their stack
// pointers and goes with them.
//
// A jump or an exception leaves functions without their exits, and a context runs on another stack. A program that could do
// such a thing keeps whole stacks, as one does with other than C sources (deep_spoilers in deep_stacks.c). A function whose
// entry was not seen counts as if the thread had returned from all.
//
// Whoever compares stacks (spin.c) takes what was not kept from the log: all changes of it since are there.
#ifndef TARGET_DEEP_STACKS_H
#define TARGET_DEEP_STACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/paths.h"
#include "target/threads/engine/thread.h"

// What is known of a thread's calls.
struct deep_calls {
    uint64_t
        *sp; // of the functions it is in, outermost first: at their entry, after they made room for their variables
    uint32_t room; // for so many; of further ones the stack pointers are not known
    uint32_t unused;
    // From here on kept with each step.
    const uint8_t *kept_to; // the end of what is kept of its stack
    uint32_t count;         // functions it is in
    uint32_t low;           // it may be in as few as these, and nothing more has to be kept
    uint32_t begun;         // it was in so many when its step began
    uint32_t unused_either;
};

extern struct deep_calls deep_calls[MAX_ACTORS];

enum { DEEP_FRAMES = 1 << 16 };
enum { DEEP_STACK = 16 << 10 }; // bytes in use from which on it may be worth the while

// Once it is known how memory goes back.
void deep_stacks_begin(void);

// Keeps what of a stack its thread can change: of a deep one, or of any in a search that knows of deep ones. Returns the number
// of bytes from its stack pointer on.
size_t deep_stacks_keep(struct thread *t);

// A thread begins, with nothing on its stack.
void deep_stacks_clear(const struct thread *t);

bool deep_stacks_make_room(struct deep_calls *c);
void deep_stacks_lower(const struct thread *t, struct deep_calls *c);
void deep_stacks_leave_unseen(const struct thread *t, struct deep_calls *c);

// The running thread has entered a function, whose stack pointer this is.
static IN_PLACE void deep_stacks_enter(const struct thread *t, uint64_t sp)
{
    struct deep_calls *c = &deep_calls[t->actor];
    if (likely(c->count < c->room) || deep_stacks_make_room(c))
        c->sp[c->count] = sp;
    c->count++;
}

// It is about to leave it. If it has not been that far up in this step, more of its stack has to be kept first.
static IN_PLACE void deep_stacks_leave(const struct thread *t)
{
    struct deep_calls *c = &deep_calls[t->actor];
    if (unlikely(!c->count))
        deep_stacks_leave_unseen(t, c);
    else if (unlikely(--c->count < c->low))
        deep_stacks_lower(t, c);
}

// Whether the thread's stack from `from` on was the same when the log was `then` bytes long as when it was `now`.
bool deep_stacks_same(const struct thread *t, const uint8_t *from, size_t then, size_t now);

#endif
