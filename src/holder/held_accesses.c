// Plain accesses and atomic operations, at the hooks that heddle cc leaves in front of them, and the calls of functions.
#include "holder/holder.h"

#include "base/wide.h"

// One that reads and writes is one arrival: nobody can be let in between.
#define READS hold_at
#define WRITES hold_at
#define READS_AND_WRITES hold_at
#include "base/access_hooks.h"

PUBLIC void __tsan_read_range(void *p, uintptr_t size)
{
    hold_at(p, size, HERE);
}

PUBLIC void __tsan_write_range(void *p, uintptr_t size)
{
    hold_at(p, size, HERE);
}

PUBLIC void __tsan_vptr_update(void **p, void *value)
{
    (void)value;
    hold_at(p, sizeof *p, HERE);
}

PUBLIC void __tsan_vptr_read(void **p)
{
    hold_at(p, sizeof *p, HERE);
}

// ---- calls ----

PUBLIC void __tsan_func_entry(void *caller)
{
    struct holder_thread *me = &holder_self;
    uint64_t frame = (uint64_t)(uintptr_t)__builtin_frame_address(0);
    (void)caller;
    hold_goes_on();
    if (!holder.block)
        return;
    while (me->depth && me->depth <= HOLDER_CALLS && me->frame[me->depth - 1] <= frame) // left by longjmp
        me->depth--;
    if (me->depth < HOLDER_CALLS) {
        me->call[me->depth] = ++me->calls;
        me->frame[me->depth] = frame;
    }
    me->depth++;
}

PUBLIC void __tsan_func_exit(void)
{
    hold_goes_on();
    if (holder_self.depth)
        holder_self.depth--;
}

// ---- atomic operations ----

#define LOADING(type, bits)                                                                                            \
    type __tsan_atomic##bits##_load(const volatile type *p, int order);                                                \
    PUBLIC type __tsan_atomic##bits##_load(const volatile type *p, int order)                                          \
    {                                                                                                                  \
        hold_at(p, sizeof *p, HERE);                                                                                   \
        return NEXT(__tsan_atomic##bits##_load)(p, order);                                                             \
    }                                                                                                                  \
    void __tsan_atomic##bits##_store(volatile type *p, type value, int order);                                         \
    PUBLIC void __tsan_atomic##bits##_store(volatile type *p, type value, int order)                                   \
    {                                                                                                                  \
        hold_at(p, sizeof *p, HERE);                                                                                   \
        NEXT(__tsan_atomic##bits##_store)(p, value, order);                                                            \
    }

#define CHANGING(type, bits, name)                                                                                     \
    type __tsan_atomic##bits##_##name(volatile type *p, type value, int order);                                        \
    PUBLIC type __tsan_atomic##bits##_##name(volatile type *p, type value, int order)                                  \
    {                                                                                                                  \
        hold_at(p, sizeof *p, HERE);                                                                                   \
        return NEXT(__tsan_atomic##bits##_##name)(p, value, order);                                                    \
    }

#define SWAPPING(type, bits, name)                                                                                     \
    int __tsan_atomic##bits##_compare_exchange_##name(volatile type *p, type *expected, type value, int order,         \
                                                      int failure);                                                    \
    PUBLIC int __tsan_atomic##bits##_compare_exchange_##name(volatile type *p, type *expected, type value, int order,  \
                                                             int failure)                                              \
    {                                                                                                                  \
        hold_at(p, sizeof *p, HERE);                                                                                   \
        return NEXT(__tsan_atomic##bits##_compare_exchange_##name)(p, expected, value, order, failure);                \
    }

#define ATOMICS(type, bits)                                                                                            \
    LOADING(type, bits)                                                                                                \
    CHANGING(type, bits, exchange)                                                                                     \
    CHANGING(type, bits, fetch_add)                                                                                    \
    CHANGING(type, bits, fetch_sub)                                                                                    \
    CHANGING(type, bits, fetch_and)                                                                                    \
    CHANGING(type, bits, fetch_or)                                                                                     \
    CHANGING(type, bits, fetch_xor)                                                                                    \
    CHANGING(type, bits, fetch_nand)                                                                                   \
    SWAPPING(type, bits, strong)                                                                                       \
    SWAPPING(type, bits, weak)                                                                                         \
    type __tsan_atomic##bits##_compare_exchange_val(volatile type *p, type expected, type value, int order,            \
                                                    int failure);                                                      \
    PUBLIC type __tsan_atomic##bits##_compare_exchange_val(volatile type *p, type expected, type value, int order,     \
                                                           int failure)                                                \
    {                                                                                                                  \
        hold_at(p, sizeof *p, HERE);                                                                                   \
        return NEXT(__tsan_atomic##bits##_compare_exchange_val)(p, expected, value, order, failure);                   \
    }

ATOMICS(uint8_t, 8)
ATOMICS(uint16_t, 16)
ATOMICS(uint32_t, 32)
ATOMICS(uint64_t, 64)
ATOMICS(wide, 128)
