// What functions of libraries do to the program's memory, in a few letters, and announcing it for a call that is about to be made.
//
// The effects of a function stand behind one another, separated by spaces. N is the number of an argument, from 1, of those that
// are no floating-point numbers; an argument that is a null pointer counts as none.
//
//     rN:SIZE  wN:SIZE     it reads, writes so many bytes there
//     rN*M     wN*M        … as many as the argument M says; rN*M:SIZE so many times SIZE
//     rN-M     wN-M        … up to the argument M
//     sN       SN          it reads a text, a text of wide characters
//     ON       oN  xN      it looks at, writes to, reads from a stream of C++ and its buffer (stream_effects.h)
//     IN       iN          it looks at, changes a stream alone; the argument is the part of it that is std::ios
//     UN       uN  aN  cN  it looks at, changes, writes to, reads from the buffer of a stream
//     HN QN    hN  qN      it looks at, sets the pointers of such a buffer for writing (H), for reading (Q)
//     dN                   it looks up a name, the next argument, in the library N
//     gN                   it sets `signgam`, if the program looks at that; N says nothing
//     bN       BN          it reads, changes a std::string
//     tN                   it links a node, the one from argument N on, into a red-black tree (node, parent, header)
//     eN                   it takes a node out of a red-black tree (node, header)
//     nN       pN          it goes to the next, the previous node of such a tree
//     kN                   it is sigsetjmp, with this buffer; the next argument says whether to keep the signals that are blocked
//     mN:OFFSET            it keeps the signals that are blocked there, so far behind the beginning
//     jN                   it jumps to where setjmp was called with this buffer
//     fN:OFFSET            it lets go of the exception that the std::exception_ptr has, so far behind the beginning
//     yN:OFFSET            it lets go of the message that an exception of <stdexcept> has there
//     FN                   it ends a handler, and lets go of its exception; N says nothing (exceptions.h)
//     lN       vN          it changes a node of a list and those beside it, all nodes of a list
//
// UNLOGGED in front of them all: it also changes what belongs to its library, or what it allocates, and the log of writes does not
// have that. "" is a function that touches nothing that others could see: it computes, or its library keeps a lock.
#ifndef TARGET_LIBRARY_EFFECTS_H
#define TARGET_LIBRARY_EFFECTS_H

#include <stdint.h>

enum { UNLOGGED = '~' };

void library_effects(const char *effects, const uint64_t *argument, const void *pc);

#endif
