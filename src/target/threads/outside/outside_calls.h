// Calls that are the C library's, once heddle knows that the program reaches outside by them.
#ifndef TARGET_OUTSIDE_CALLS_H
#define TARGET_OUTSIDE_CALLS_H

#include "target/threads/libc/libc_room.h"
#include "target/threads/outside/outside_room.h"

#define OUTSIDE_CALL(kind, result, name, parameters, arguments)                                                        \
    PUBLIC result name parameters                                                                                      \
    {                                                                                                                  \
        if (engine.running)                                                                                            \
            outside(engine.running, #name, kind, HERE);                                                                \
        return NATIVE(name) arguments;                                                                                 \
    }

#endif
