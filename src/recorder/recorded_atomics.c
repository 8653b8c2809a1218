// Atomic operations. Each is done while a lock is held that all operations on the same address take, and so is its number taken: so
// the numbers give the order in which they happened. The values that they found and left are recorded with them.
#include "recorder/recorder.h"

#include <sys/syscall.h>

#include "base/libatomic.h"
#include "base/raw.h"
#include "base/wide.h"
#include "model/assembly.h"

enum { STRIPES = 1024, PATIENCE = 64, SEQ_CST = __ATOMIC_SEQ_CST };

static struct stripe {
    _Alignas(64) uint32_t held;
} stripes[STRIPES];

static struct stripe *stripe_lock(const volatile void *p)
{
    struct stripe *s = &stripes[(uint64_t)(uintptr_t)p * 0x9e3779b97f4a7c15ull >> 54];
    for (uint32_t tries = 0; __atomic_exchange_n(&s->held, 1, __ATOMIC_ACQUIRE); tries++)
        if (tries < PATIENCE)
            __builtin_ia32_pause();
        else
            raw_call(SYS_sched_yield, 0, 0, 0);
    return s;
}

static void stripe_unlock(struct stripe *s)
{
    __atomic_store_n(&s->held, 0, __ATOMIC_RELEASE);
}

struct operation {
    enum recording_op op;
    const volatile void *p;
    uint32_t size;
    int order;
    const void *pc;
    struct recorder_thread *me;
    struct stripe *stripe;
    struct recording_unit *at;
};

// Makes room before the lock is taken: one may have to wait for room.
static bool operation_begin(struct operation *o)
{
    o->me = recorder.on ? recorder_enter() : NULL;
    if (!o->me)
        return false;
    if (recorder.with_stacks)
        recorder_tell_calls(o->me);
    o->at = recorder_room(o->me, 3);
    if (!o->at) {
        recorder_leave(o->me);
        o->me = NULL;
        return false;
    }
    o->stripe = stripe_lock(o->p);
    return true;
}

// A thread that waits in a loop finds the same again and again: once is enough, until it does something else.
static bool is_repeated(const struct operation *o, uint64_t value)
{
    struct recorder_thread *me = o->me;
    uint64_t address = (uint64_t)(uintptr_t)o->p, place = (uint64_t)(uintptr_t)o->pc;
    bool same = me->load_at == me->next && me->load[0] == address && me->load[1] == place && me->load[2] == value;
    me->load[0] = address;
    me->load[1] = place;
    me->load[2] = value;
    me->load_at = me->next + 3;
    return same && !recorder.keeps_all;
}

static void operation_end(struct operation *o, uint64_t old, uint64_t now, uint32_t flags)
{
    struct recorder_thread *me = o->me;
    bool only_reads = o->op == RECORDING_ATOMIC_LOAD || flags & RECORDING_FAILED;
    if (only_reads && !(flags & RECORDING_NO_VALUES) && is_repeated(o, old)) {
        me->load_at = me->next;
        stripe_unlock(o->stripe);
        recorder_leave(me);
        return;
    }
    uint64_t number = recorder_take_number(me);
    stripe_unlock(o->stripe);
    *(struct recording_extra *)(o->at + 1) = (struct recording_extra){number, o->size << 8 | (uint32_t)o->order};
    o->at[2] = (struct recording_unit){old, now};
    recorder_put(me, o->at, recording_unit_of(o->op, (uint64_t)(uintptr_t)o->p, flags, (uint64_t)(uintptr_t)o->pc), 3);
    if (o->order != __ATOMIC_RELAXED)
        me->interval++;
    recorder_touch(me, (uint64_t)(uintptr_t)o->p);
    recorder_leave(me);
}

#define OPERATION(kind, type, memory_order)                                                                            \
    struct operation o = {.op = kind, .p = p, .size = sizeof(type), .order = memory_order, .pc = HERE}

#define ATOMIC_RMW(type, bits, name, expression)                                                                       \
    PUBLIC type __tsan_atomic##bits##_##name(volatile type *p, type value, int order)                                  \
    {                                                                                                                  \
        OPERATION(RECORDING_ATOMIC_RMW, type, order);                                                                  \
        bool recorded = operation_begin(&o);                                                                           \
        type old = __atomic_load_n(p, SEQ_CST);                                                                        \
        while (!__atomic_compare_exchange_n(p, &old, (type)(expression), false, SEQ_CST, SEQ_CST)) {                   \
        }                                                                                                              \
        if (recorded)                                                                                                  \
            operation_end(&o, (uint64_t)old, (uint64_t)(type)(expression), 0);                                         \
        return old;                                                                                                    \
    }

#define ATOMIC_CAS(type, bits, name)                                                                                   \
    PUBLIC int __tsan_atomic##bits##_compare_exchange_##name(volatile type *p, type *expected, type value, int order,  \
                                                             int failure)                                              \
    {                                                                                                                  \
        OPERATION(RECORDING_ATOMIC_CAS, type, order);                                                                  \
        bool recorded = operation_begin(&o);                                                                           \
        type found = *expected;                                                                                        \
        bool swapped = __atomic_compare_exchange_n(p, &found, value, false, SEQ_CST, SEQ_CST);                         \
        o.order = swapped ? order : failure;                                                                           \
        if (recorded)                                                                                                  \
            operation_end(&o, (uint64_t)found, (uint64_t)(swapped ? value : found), swapped ? 0 : RECORDING_FAILED);   \
        if (!swapped)                                                                                                  \
            *expected = found;                                                                                         \
        return swapped;                                                                                                \
    }

#define ATOMICS(type, bits)                                                                                            \
    ATOMIC_RMW(type, bits, exchange, value)                                                                            \
    ATOMIC_RMW(type, bits, fetch_add, old + value)                                                                     \
    ATOMIC_RMW(type, bits, fetch_sub, old - value)                                                                     \
    ATOMIC_RMW(type, bits, fetch_and, old &value)                                                                      \
    ATOMIC_RMW(type, bits, fetch_or, old | value)                                                                      \
    ATOMIC_RMW(type, bits, fetch_xor, old ^ value)                                                                     \
    ATOMIC_RMW(type, bits, fetch_nand, ~(old & value))                                                                 \
    ATOMIC_CAS(type, bits, strong)                                                                                     \
    ATOMIC_CAS(type, bits, weak)                                                                                       \
    PUBLIC type __tsan_atomic##bits##_load(const volatile type *p, int order)                                          \
    {                                                                                                                  \
        OPERATION(RECORDING_ATOMIC_LOAD, type, order);                                                                 \
        bool recorded = operation_begin(&o);                                                                           \
        type value = __atomic_load_n(p, SEQ_CST);                                                                      \
        if (recorded)                                                                                                  \
            operation_end(&o, (uint64_t)value, (uint64_t)value, 0);                                                    \
        return value;                                                                                                  \
    }                                                                                                                  \
    PUBLIC void __tsan_atomic##bits##_store(volatile type *p, type value, int order)                                   \
    {                                                                                                                  \
        OPERATION(RECORDING_ATOMIC_STORE, type, order);                                                                \
        bool recorded = operation_begin(&o);                                                                           \
        type old = recorded ? __atomic_load_n(p, SEQ_CST) : 0;                                                         \
        __atomic_store_n(p, value, SEQ_CST);                                                                           \
        if (recorded)                                                                                                  \
            operation_end(&o, (uint64_t)old, (uint64_t)value, 0);                                                      \
    }                                                                                                                  \
    PUBLIC type __tsan_atomic##bits##_compare_exchange_val(volatile type *p, type expected, type value, int order,     \
                                                           int failure)                                                \
    {                                                                                                                  \
        OPERATION(RECORDING_ATOMIC_CAS, type, order);                                                                  \
        bool recorded = operation_begin(&o);                                                                           \
        type found = expected;                                                                                         \
        bool swapped = __atomic_compare_exchange_n(p, &found, value, false, SEQ_CST, SEQ_CST);                         \
        o.order = swapped ? order : failure;                                                                           \
        if (recorded)                                                                                                  \
            operation_end(&o, (uint64_t)found, (uint64_t)(swapped ? value : found), swapped ? 0 : RECORDING_FAILED);   \
        return found;                                                                                                  \
    }

ATOMICS(uint8_t, 8)
ATOMICS(uint16_t, 16)
ATOMICS(uint32_t, 32)
ATOMICS(uint64_t, 64)

// ---- sixteen bytes ----
//
// Of the values the lower halves are recorded.

#define WIDE_RMW(name, kind, expression)                                                                               \
    PUBLIC wide __tsan_atomic128_##name(volatile wide *p, wide value, int order)                                       \
    {                                                                                                                  \
        OPERATION(kind, wide, order);                                                                                  \
        bool recorded = operation_begin(&o);                                                                           \
        wide old = wide_swap(p, 0, 0), found;                                                                          \
        while ((found = wide_swap(p, old, (expression))) != old)                                                       \
            old = found;                                                                                               \
        if (recorded)                                                                                                  \
            operation_end(&o, (uint64_t)old, (uint64_t)(expression), 0);                                               \
        return old;                                                                                                    \
    }
WIDE_RMW(exchange, RECORDING_ATOMIC_RMW, value)
WIDE_RMW(fetch_add, RECORDING_ATOMIC_RMW, old + value)
WIDE_RMW(fetch_sub, RECORDING_ATOMIC_RMW, old - value)
WIDE_RMW(fetch_and, RECORDING_ATOMIC_RMW, old &value)
WIDE_RMW(fetch_or, RECORDING_ATOMIC_RMW, old | value)
WIDE_RMW(fetch_xor, RECORDING_ATOMIC_RMW, old ^ value)
WIDE_RMW(fetch_nand, RECORDING_ATOMIC_RMW, ~(old &value))

PUBLIC wide __tsan_atomic128_load(const volatile wide *p, int order)
{
    OPERATION(RECORDING_ATOMIC_LOAD, wide, order);
    bool recorded = operation_begin(&o);
    wide value = wide_swap((volatile wide *)(uintptr_t)p, 0, 0);
    if (recorded)
        operation_end(&o, (uint64_t)value, (uint64_t)value, 0);
    return value;
}

PUBLIC void __tsan_atomic128_store(volatile wide *p, wide value, int order)
{
    OPERATION(RECORDING_ATOMIC_STORE, wide, order);
    bool recorded = operation_begin(&o);
    wide old = wide_swap(p, 0, 0), found;
    while ((found = wide_swap(p, old, value)) != old)
        old = found;
    if (recorded)
        operation_end(&o, (uint64_t)old, (uint64_t)value, 0);
}

static wide compare_wide(struct operation *o, wide expected, wide value, int failure)
{
    bool recorded = operation_begin(o);
    wide found = wide_swap((volatile wide *)(uintptr_t)o->p, expected, value);
    bool swapped = found == expected;
    if (!swapped)
        o->order = failure;
    if (recorded)
        operation_end(o, (uint64_t)found, (uint64_t)(swapped ? value : found), swapped ? 0 : RECORDING_FAILED);
    return found;
}

PUBLIC wide __tsan_atomic128_compare_exchange_val(volatile wide *p, wide expected, wide value, int order, int failure)
{
    OPERATION(RECORDING_ATOMIC_CAS, wide, order);
    return compare_wide(&o, expected, value, failure);
}

#define WIDE_CAS(name)                                                                                                 \
    PUBLIC int __tsan_atomic128_compare_exchange_##name(volatile wide *p, wide *expected, wide value, int order,       \
                                                        int failure)                                                   \
    {                                                                                                                  \
        OPERATION(RECORDING_ATOMIC_CAS, wide, order);                                                                  \
        wide wanted = *expected, found = compare_wide(&o, wanted, value, failure);                                     \
        if (found != wanted)                                                                                           \
            *expected = found;                                                                                         \
        return found == wanted;                                                                                        \
    }
WIDE_CAS(strong)
WIDE_CAS(weak)

// ---- libatomic's names for the same ----

LIBATOMIC_NAMES();

// ---- others ----

// An instruction of inline assembly is about to run, or one of compiled code that has no hook. Of an atomic one the number is taken
// before it runs, so that others may come in between: its place among theirs is a guess, and its values are not known.
PUBLIC void __heddle_recorded_access(const void *start, uint64_t size, int reads, int writes, int atomic,
                                     const void *pc)
{
    struct operation o = {.op = writes ? reads ? RECORDING_ATOMIC_RMW : RECORDING_ATOMIC_STORE : RECORDING_ATOMIC_LOAD,
                          .p = start,
                          .size = (uint32_t)size,
                          .order = SEQ_CST,
                          .pc = pc};
    if (atomic && operation_begin(&o))
        operation_end(&o, 0, 0, RECORDING_NO_VALUES);
    if (!atomic && reads)
        recorder_range(start, size, false, pc);
    if (!atomic && writes)
        recorder_range(start, size, true, pc);
}

PUBLIC void __tsan_atomic_thread_fence(int order)
{
    recorder_sync(RECORDING_FENCE, NULL, (uint64_t)order, 0, HERE);
    __atomic_thread_fence(SEQ_CST);
}

PUBLIC void __tsan_atomic_signal_fence(int order)
{
    (void)order;
}
