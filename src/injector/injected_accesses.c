// Reads of memory, at the hooks that heddle cc leaves in front of them: a bit of what is about to be read flips, and stays so.
#define _GNU_SOURCE
#include "injector/injector.h"
#include "injector/injector_trace.h"
#include "injector/injector_turns.h"

#include <sys/uio.h>
#include <unistd.h>

// Memory that cannot be written stays as it is.
static RARE void flip(uint8_t *p, uint32_t size)
{
    uint32_t bit = injector_bit() % (size * 8);
    uint8_t byte = p[bit / 8] ^ (uint8_t)(1u << bit % 8);
    struct iovec from = {&byte, 1}, to = {p + bit / 8, 1};
    if (process_vm_writev(getpid(), &from, 1, &to, 1, 0) == 1)
        injector_done();
}

static IN_PLACE void reads(void *p, uint32_t size, const void *pc)
{
    if (unlikely(injector_asks(CALL_LOAD, pc) == INJECT_FLIP))
        flip(p, size);
    if (unlikely(trace_on))
        trace_access(p, size, CANONICAL_READ, pc);
    if (unlikely(turns_on))
        turns_tick();
}

static IN_PLACE void writes(void *p, uint32_t size, const void *pc)
{
    if (unlikely(trace_on))
        trace_access(p, size, CANONICAL_WRITE, pc);
}

static IN_PLACE void reads_and_writes(void *p, uint32_t size, const void *pc)
{
    reads(p, size, pc);
    writes(p, size, pc);
}

#define READS reads
#define WRITES writes
#define READS_AND_WRITES reads_and_writes
#include "base/access_hooks.h"

PUBLIC void __tsan_read_range(void *p, uintptr_t size)
{
    if (unlikely(trace_on))
        trace_access(p, size, CANONICAL_READ_RANGE, HERE);
}

PUBLIC void __tsan_write_range(void *p, uintptr_t size)
{
    if (unlikely(trace_on))
        trace_access(p, size, CANONICAL_WRITE_RANGE, HERE);
}

PUBLIC void __tsan_vptr_update(void **p, void *value)
{
    (void)value;
    writes(p, 8, HERE);
}

PUBLIC void __tsan_vptr_read(void **p)
{
    reads(p, 8, HERE);
}

PUBLIC void __tsan_func_entry(void *caller)
{
    (void)caller;
}

// It may be jumped to, when the frame is gone.
PUBLIC void __tsan_func_exit(void)
{
    enum { SAVED = 16 }; // the frame pointer and the return address
    if (unlikely(trace_on))
        trace_leave((uint64_t)(uintptr_t)__builtin_frame_address(0) + SAVED);
}

// ---- atomic operations, which heddle cc makes calls of ----

typedef uint8_t bits8;
typedef uint16_t bits16;
typedef uint32_t bits32;
typedef uint64_t bits64;

#define NOTES(p)                                                                                                       \
    do {                                                                                                               \
        if (unlikely(turns_on))                                                                                        \
            turns_point();                                                                                             \
        if (unlikely(trace_on))                                                                                        \
            trace_access((const void *)(uintptr_t)(p), sizeof *(p), CANONICAL_ATOMIC, HERE);                           \
    } while (0)

#define ATOMIC_RMW(n, name)                                                                                            \
    PUBLIC bits##n __tsan_atomic##n##_##name(volatile bits##n *p, bits##n value, int order)                            \
    {                                                                                                                  \
        (void)order;                                                                                                   \
        NOTES(p);                                                                                                      \
        return __atomic_##name(p, value, __ATOMIC_SEQ_CST);                                                            \
    }

#define ATOMIC_SWAP(n, name)                                                                                           \
    PUBLIC int __tsan_atomic##n##_compare_exchange_##name(volatile bits##n *p, bits##n *expected, bits##n value,       \
                                                          int order, int failure)                                      \
    {                                                                                                                  \
        (void)order;                                                                                                   \
        (void)failure;                                                                                                 \
        NOTES(p);                                                                                                      \
        return __atomic_compare_exchange_n(p, expected, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                 \
    }

#define ATOMICS(n)                                                                                                     \
    PUBLIC bits##n __tsan_atomic##n##_load(const volatile bits##n *p, int order)                                       \
    {                                                                                                                  \
        (void)order;                                                                                                   \
        NOTES(p);                                                                                                      \
        return __atomic_load_n(p, __ATOMIC_SEQ_CST);                                                                   \
    }                                                                                                                  \
    PUBLIC void __tsan_atomic##n##_store(volatile bits##n *p, bits##n value, int order)                                \
    {                                                                                                                  \
        (void)order;                                                                                                   \
        NOTES(p);                                                                                                      \
        __atomic_store_n(p, value, __ATOMIC_SEQ_CST);                                                                  \
    }                                                                                                                  \
    PUBLIC bits##n __tsan_atomic##n##_exchange(volatile bits##n *p, bits##n value, int order)                          \
    {                                                                                                                  \
        (void)order;                                                                                                   \
        NOTES(p);                                                                                                      \
        return __atomic_exchange_n(p, value, __ATOMIC_SEQ_CST);                                                        \
    }                                                                                                                  \
    PUBLIC bits##n __tsan_atomic##n##_compare_exchange_val(volatile bits##n *p, bits##n expected, bits##n value,       \
                                                           int order, int failure)                                     \
    {                                                                                                                  \
        (void)order;                                                                                                   \
        (void)failure;                                                                                                 \
        NOTES(p);                                                                                                      \
        __atomic_compare_exchange_n(p, &expected, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                       \
        return expected;                                                                                               \
    }                                                                                                                  \
    ATOMIC_SWAP(n, strong)                                                                                             \
    ATOMIC_SWAP(n, weak)                                                                                               \
    ATOMIC_RMW(n, fetch_add)                                                                                           \
    ATOMIC_RMW(n, fetch_sub)                                                                                           \
    ATOMIC_RMW(n, fetch_and)                                                                                           \
    ATOMIC_RMW(n, fetch_or)                                                                                            \
    ATOMIC_RMW(n, fetch_xor)                                                                                           \
    ATOMIC_RMW(n, fetch_nand)

ATOMICS(8)
ATOMICS(16)
ATOMICS(32)
ATOMICS(64)
