// The C library's own definitions of what heddle interposes, for programs that run without heddle and for the times
// before main.
#ifndef TARGET_NATIVE_H
#define TARGET_NATIVE_H

#include <dlfcn.h>

// The next definition of `name` after ours, looked up once per place of use.
#define NATIVE(name)                                                                                                   \
    ({                                                                                                                 \
        static __typeof__(&name) native_##name;                                                                        \
        if (!native_##name)                                                                                            \
            native_##name = (__typeof__(&name))(uintptr_t)dlsym(RTLD_NEXT, #name);                                     \
        native_##name;                                                                                                 \
    })

#endif
