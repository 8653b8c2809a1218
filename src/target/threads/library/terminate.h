// std::terminate: an exception that nobody catches, a std::thread that is destroyed before it was joined, and the like. The C++
// library prints why and aborts; the report says that, and where in the program it happened.
#ifndef TARGET_TERMINATE_H
#define TARGET_TERMINATE_H

struct thread;

// Before the image of the program's memory is taken.
void terminate_prepare(void);

// The thread aborts, called from there: stops it if the C++ library does so. Nothing has been unwound: where an exception was thrown
// is on the stack.
void terminate_aborts(struct thread *t, const void *pc);

#endif
