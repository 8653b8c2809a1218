// The C library's own definitions of what heddle interposes, for programs that run without heddle and for the times
// before main.
//
// They are all looked up before the first execution: a look-up on a thread's stack leaves there what it leaves in no other
// execution, and frames have gaps in which that would stay (audit.h).
#ifndef TARGET_NATIVE_H
#define TARGET_NATIVE_H

#include <dlfcn.h>

struct native {
    void *place; // of the pointer to the function
    const char *name;
};

// The next definition of `name` after ours, looked up once per place of use.
#define NATIVE(name)                                                                                                   \
    ({                                                                                                                 \
        static __typeof__(&name) native_##name;                                                                        \
        static struct native native_row_##name                                                                         \
            __attribute__((section("heddle_natives"), used)) = {(void *)&native_##name, #name};                        \
        if (!native_##name)                                                                                            \
            native_##name = (__typeof__(&name))(uintptr_t)dlsym(RTLD_NEXT, #name);                                     \
        native_##name;                                                                                                 \
    })

void native_find_all(void);

#endif
