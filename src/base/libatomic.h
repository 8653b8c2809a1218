// The functions of libatomic: other names of the hooks that compilers call for atomic operations (-fsanitize=thread).
#ifndef BASE_LIBATOMIC_H
#define BASE_LIBATOMIC_H

#include "base/also.h"

#define LIBATOMIC_OF(bytes, bits)                                                                                      \
    ALSO(__atomic_load_##bytes, __tsan_atomic##bits##_load);                                                           \
    ALSO(__atomic_store_##bytes, __tsan_atomic##bits##_store);                                                         \
    ALSO(__atomic_exchange_##bytes, __tsan_atomic##bits##_exchange);                                                   \
    ALSO(__atomic_compare_exchange_##bytes, __tsan_atomic##bits##_compare_exchange_strong);                            \
    ALSO(__atomic_fetch_add_##bytes, __tsan_atomic##bits##_fetch_add);                                                 \
    ALSO(__atomic_fetch_sub_##bytes, __tsan_atomic##bits##_fetch_sub);                                                 \
    ALSO(__atomic_fetch_and_##bytes, __tsan_atomic##bits##_fetch_and);                                                 \
    ALSO(__atomic_fetch_or_##bytes, __tsan_atomic##bits##_fetch_or);                                                   \
    ALSO(__atomic_fetch_xor_##bytes, __tsan_atomic##bits##_fetch_xor);                                                 \
    ALSO(__atomic_fetch_nand_##bytes, __tsan_atomic##bits##_fetch_nand)

// Stands once in the file that defines the hooks.
#define LIBATOMIC_NAMES()                                                                                              \
    LIBATOMIC_OF(1, 8);                                                                                                \
    LIBATOMIC_OF(2, 16);                                                                                               \
    LIBATOMIC_OF(4, 32);                                                                                               \
    LIBATOMIC_OF(8, 64);                                                                                               \
    LIBATOMIC_OF(16, 128)

#endif
