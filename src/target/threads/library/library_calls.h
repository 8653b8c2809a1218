// Functions of libraries that the program calls and heddle does not define. What they do to memory is announced for them if it is
// known (library_table.c); if it is not, it is kept which of them were called, since a program that calls one cannot be
// verified.
//
// A verdict *verified* must not rest on what nobody saw, and ordinary programs must not become *incomplete* for calling
// frexp. So LD_BIND_NOW is set, imports.c goes through the dynamic relocations of the program and of libraries with
// hooks, and each slot that leads to a function that has to be announced gets a stub. The stub (library_entry.S) keeps
// all arguments, calls library_announce, and jumps to the function; it leaves no frame, so that setjmp can be one of
// them. Functions of the program, of libraries compiled with it and of heddle need none, except those of heddle's that
// go on to the system.
//
// Functions of the C++ library are also called through its tables of virtual functions, and nothing is imported for that:
// streambuf::sputn is a few instructions of the program that jump to where a table says. So all functions that stand in the
// library's tables get stubs there, too. The library calls by its tables itself, where what it does was announced for
// the function that the program called; of these stubs only calls from code with hooks count. Tables that the library
// does not export are left alone. They belong to classes inside of it, which keep nothing (categories of errors), or go
// on to the heap.
//
// A function that is not in the table makes the verdict *incomplete* when it is called, unless `--trust` names it or
// its library. A call while there is no other thread is only an assumption: everything that another thread does comes
// before it or after it. Functions that are imported but never called do not matter, since all executions were run.
#ifndef TARGET_LIBRARY_CALLS_H
#define TARGET_LIBRARY_CALLS_H

#include <stdbool.h>
#include <stdint.h>

struct thread;

// Stands in front of all that have to be announced or kept in mind. Before the image of the program's memory is taken.
// `trusted`: names of functions and libraries, separated by commas, of which the user says that they do no harm.
void library_calls_watch(const char *trusted);

struct library_call {
    const char *name, *library;
    uint64_t pc; // of the first call
    bool early;  // only while there was no other thread
    bool trusted;
    bool framework; // of the test framework that the program uses, which is trusted
    bool known;     // what it does to memory is taken from heddle's table
};

// Each function that was called in some execution although it is not known, or only from the table.
void library_calls_made(void (*tell)(void *context, const struct library_call *), void *context);

// A call of a function that heddle does define, in a way that it does not follow; `name` says which, and stays.
void library_call_missed(const char *name, const void *pc);

// The same for something that is none, and whenever it was done.
void library_unseen(const char *what, const void *pc);

// The function is about to change what the log of writes does not have: that is to be done only where nothing before it has to
// be gone back to. May not return.
void library_changes_unlogged(struct thread *t, const char *name);

// Whether the function is one of the C or C++ library that is known to change memory of its own besides what it is given, which
// going back would miss.
bool library_changes_its_own(void (*function)(void *));

// The name of the function of a library that a stub at this place stands for; null if there is none.
const char *library_function_at(uint64_t code);

// Whether names in the list (functions or libraries, separated by commas) have this one. A library need not be listed with its
// version: libcmocka.so stands for libcmocka.so.0.
bool library_is_listed(const char *list, const char *name);

#endif
