// Operators of C++ that allocate. They fail where an allocation of the program may (engine/faults.h), and do then what they do when
// malloc finds nothing: ask the handler, throw, or return null. Otherwise the library's own ask malloc, which says where from.
#include "target/threads/engine/engine_room.h"
#include "target/threads/libc/libc_room.h"
#include "target/threads/memory/heap.h"

#define HERE __builtin_return_address(0)

#define NEW(name, parameters, arguments)                                                                               \
    void *name parameters;                                                                                             \
    PUBLIC void *name parameters                                                                                       \
    {                                                                                                                  \
        if (unlikely(fault_strikes(FAULT_MALLOC, "new", HERE)))                                                        \
            heap_fail_next();                                                                                          \
        return NATIVE(name) arguments;                                                                                 \
    }

NEW(_Znwm, (size_t size), (size))
NEW(_Znam, (size_t size), (size))
NEW(_ZnwmSt11align_val_t, (size_t size, size_t alignment), (size, alignment))
NEW(_ZnamSt11align_val_t, (size_t size, size_t alignment), (size, alignment))

#define NEW_NOTHROW(name, parameters, arguments)                                                                       \
    void *name parameters;                                                                                             \
    PUBLIC void *name parameters                                                                                       \
    {                                                                                                                  \
        return unlikely(fault_strikes(FAULT_MALLOC, "new", HERE)) ? NULL : NATIVE(name) arguments;                     \
    }

NEW_NOTHROW(_ZnwmRKSt9nothrow_t, (size_t size, const void *nothrow), (size, nothrow))
NEW_NOTHROW(_ZnamRKSt9nothrow_t, (size_t size, const void *nothrow), (size, nothrow))
NEW_NOTHROW(_ZnwmSt11align_val_tRKSt9nothrow_t, (size_t size, size_t alignment, const void *nothrow),
            (size, alignment, nothrow))
NEW_NOTHROW(_ZnamSt11align_val_tRKSt9nothrow_t, (size_t size, size_t alignment, const void *nothrow),
            (size, alignment, nothrow))
