// Exceptions that several threads have, by std::exception_ptr. The library counts who has one, by atomic operations that nobody
// sees: what its holders do to it comes before its end, and whoever lets go last destroys it.
//
// So letting go is an event, where the program can share exceptions at all. A pointer that is assigned null or is destroyed lets
// go, and the end of the last handler that a throw has led to. Taking hold of one is none: that needs somebody who has it.
#ifndef TARGET_EXCEPTIONS_H
#define TARGET_EXCEPTIONS_H

struct thread;

// Before the image of the program's memory is taken.
void exceptions_prepare(void);

// Copies of an exception of <stdexcept> share its message in the same way.
void exceptions_let_go_of_message(struct thread *t, const char *message, const void *pc);

// The thread is about to let go of the exception there, or to end a handler.
void exceptions_let_go(struct thread *t, const void *exception, const void *pc);
void exceptions_handled(struct thread *t, const void *pc);

#endif
