// What the program and the libraries that were compiled with it do before main and after it: their constructors and
// destructors.
//
// They belong to the execution like main itself, so the dynamic linker and the C library must not run them: those of
// libraries are held back as soon as heddle's runtime is there, which they depend on; those of the program are left out when
// the C library starts it. The first thread runs them in the same order. What other libraries do before main has happened
// by then (early.h); what they would do afterwards is left out.
//
// How they are held back: the C library gets a function that does nothing as `init`, and then does not look for the
// program's. In the tables by which the dynamic linker finds the constructors of libraries, heddle's own constructor,
// which runs before theirs since they need the runtime, puts that there is nothing to run. Only the constructors that
// tell of inline assembly run at once: what they say decides how to go back.
#ifndef TARGET_MODULES_H
#define TARGET_MODULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef void constructor(int, char **, char **);
typedef void module_destructor(void);

// The tables of a module that was loaded later.
struct module_ends {
    constructor **inits;
    module_destructor **finis, *fini;
    size_t init_count, fini_count;
    bool runs_init; // it has a function of its own that runs first
};

struct module_ends modules_ends(uint64_t base, const void *dynamic);
bool modules_has_destructors(const struct module_ends *ends); // of its own
void modules_run_destructors(const struct module_ends *ends); // and what it has registered

// Whether a module was there when the program began.
bool modules_know(uint64_t base);

// Whether a constructor is the compiler's own, or heddle's; the one that calls the sanitizer.
bool modules_is_compilers(const void *entry);
bool modules_is_sanitizer(const void *entry);

// Before the first execution: finds the constructors. `init` runs all of them in programs that were linked for an older C
// library, else it is null.
void modules_prepare(constructor *init);

// Libraries without hooks, but for those of the system, that have constructors or destructors of their own: the first ran
// natively, the others are never run.
void modules_not_followed(void (*tell)(void *context, const char *name), void *context);

// By the first thread, in front of main.
void modules_construct(int argc, char **argv, char **envp);

// By whoever ends the process.
bool modules_have_destructors(void);
void modules_destroy(void);

#endif
