// Stands in front of liburcu's header of this name: what its lock-free stack uses, by the compiler's atomics.
#ifndef _URCU_UATOMIC_H
#define _URCU_UATOMIC_H

#include <urcu/arch.h>
#include <urcu/compiler.h>
#include <urcu/system.h>

#define uatomic_cmpxchg(p, old, value)                                                                                 \
    ({                                                                                                                 \
        __typeof__(*(p)) found_ = (old);                                                                               \
        __atomic_compare_exchange_n(p, &found_, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                         \
        found_;                                                                                                        \
    })
#define uatomic_xchg(p, value) __atomic_exchange_n(p, value, __ATOMIC_SEQ_CST)

#endif
