// Libraries that the program opens while it runs (dlopen).
//
// Loading one changes what the dynamic linker keeps, which nothing puts back. So it happens once, before the first execution:
// a library that the program turns out to open is learnt, the search begins anew, and there the call only answers with what
// was opened then. Those that `heddle cc` built are followed like the program itself, constructors included (opened.h);
// others are named, and the verdict is incomplete.
//
// dlsym goes to the C library, after a look at whose function it is going to find.
#ifndef TARGET_DYNAMIC_H
#define TARGET_DYNAMIC_H

// The program is about to look a name up in a library.
void dynamic_find(void *handle, const char *name, const void *pc);

// Opens those that are known (engine.learnt). Before the image of the program's memory is taken, and what libraries call is looked at.
void dynamic_open(void);

#endif
