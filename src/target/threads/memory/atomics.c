// C11, __atomic and __sync operations: the compiler replaces them by these calls, so heddle decides when they happen and
// what they return.
#include "target/threads/engine/engine_room.h"

#include "base/libatomic.h"
#include "target/threads/libc/libc_room.h"
#include "target/threads/memory/memory_room.h"

#define HERE __builtin_return_address(0)
#define LOOK(p) look_at_own_stack(engine.running, p, atomic_use, __builtin_dwarf_cfa(), HERE)

static IN_PLACE struct request *ask_atomic(enum op_kind kind, volatile void *p, uint32_t size, int order,
                                           const void *pc)
{
    uint64_t address = (uint64_t)(uintptr_t)p;
    engine.probing = pc;
    (void)*(volatile uint8_t *)p; // if that faults, it is the program's fault and not the engine's
    uint32_t object = place_of_access(address, size);
    struct request *r = ask(engine.running, kind, address, object, pc);
    r->size = (uint8_t)size;
    r->order = (uint8_t)order;
    engine.orders_seen |= (uint8_t)(1u << (order & 7));
    return r;
}

static IN_PLACE wide atomic_load(volatile void *p, uint32_t size, int order, const void *pc)
{
    ask_atomic(OP_LOAD, p, size, order, pc);
    return turn_take(engine.running);
}

static IN_PLACE void atomic_store(volatile void *p, uint32_t size, wide value, int order, const void *pc)
{
    struct request *r = ask_atomic(OP_STORE, p, size, order, pc);
    r->operand = value;
    r->looks =
        order < __ATOMIC_RELEASE; // whether it continues a release sequence depends on whose write is there (race.h)
    turn_take(engine.running);
}

static wide atomic_rmw(enum rmw op, volatile void *p, uint32_t size, wide value, int order, const void *pc)
{
    struct request *r = ask_atomic(OP_RMW, p, size, order, pc);
    r->rmw = (uint8_t)op;
    r->operand = value;
    return visible(engine.running);
}

static wide atomic_cas(volatile void *p, uint32_t size, wide expected, wide value, int order, int order_failure,
                       const void *pc)
{
    struct request *r = ask_atomic(OP_CAS, p, size, order, pc);
    r->order_failure = (uint8_t)order_failure;
    r->operand = value;
    r->expected = expected;
    return visible(engine.running);
}

enum { SEQ_CST = __ATOMIC_SEQ_CST };

// The hook `name` is a few instructions in front of name_body. They clear the stack where frames of heddle's are going to be: in
// the gaps of those lies what others left there, and a loop that begins anew would look different from round to round (spin.c).
// Of the registers %xmm15 is no argument.
#define HOOK_BODY __attribute__((used, visibility("hidden")))
#define HOOK(name)                                                                                                     \
    __asm__(".text\n\t.globl " #name "\n\t.type " #name ", @function\n" #name ":\n\t"                                  \
            ".cfi_startproc\n\tpxor %xmm15, %xmm15\n\t.set below, 0\n\t"                                               \
            ".rept 16\n\t.set below, below + 16\n\tmovups %xmm15, -below(%rsp)\n\t.endr\n\t"                           \
            "jmp " #name "_body\n\t.cfi_endproc\n\t.size " #name ", .-" #name)

// Compare-and-swap by what the machine has, for programs that run without heddle.
#define NATIVE_RMW(type, name, operation, expression)                                                                  \
    static type native_##name##_##operation(volatile type *p, type value)                                              \
    {                                                                                                                  \
        type old = __atomic_load_n(p, SEQ_CST);                                                                        \
        while (!__atomic_compare_exchange_n(p, &old, (type)(expression), 0, SEQ_CST, SEQ_CST)) {                       \
        }                                                                                                              \
        return old;                                                                                                    \
    }

#define RMW_HOOK(type, bits, operation, op)                                                                            \
    HOOK(__tsan_atomic##bits##_##operation);                                                                           \
    HOOK_BODY type __tsan_atomic##bits##_##operation##_body(volatile type *p, type value, int order)                   \
    {                                                                                                                  \
        if (!engine.running)                                                                                           \
            return native_atomic##bits##_##operation(p, value);                                                        \
        LOOK(p);                                                                                                       \
        return (type)atomic_rmw(op, p, sizeof(type), value, order, HERE);                                              \
    }

// The expected value is plain memory that we read and write, not instrumented code. It is mostly the thread's own variable.
static IN_PLACE void look_at_expected(void *expected, uint32_t size, const void *pc)
{
    if (unlikely(!is_on_own_stack(engine.running, (uint64_t)(uintptr_t)expected)))
        access_read(expected, size, pc);
}

static IN_PLACE void keep_expected(void *expected, uint32_t size, const void *pc)
{
    uint64_t address = (uint64_t)(uintptr_t)expected;
    if (unlikely(!is_on_own_stack(engine.running, address)))
        access_write(expected, size, pc);
    else
        for (uint64_t a = address & ~7ull; a < address + size; a += 8)
            undo_save_word(&engine.undo, (void *)(uintptr_t)a);
}

#define ATOMICS(type, bits)                                                                                            \
    NATIVE_RMW(type, atomic##bits, exchange, value)                                                                    \
    NATIVE_RMW(type, atomic##bits, fetch_add, old + value)                                                             \
    NATIVE_RMW(type, atomic##bits, fetch_sub, old - value)                                                             \
    NATIVE_RMW(type, atomic##bits, fetch_and, old &value)                                                              \
    NATIVE_RMW(type, atomic##bits, fetch_or, old | value)                                                              \
    NATIVE_RMW(type, atomic##bits, fetch_xor, old ^ value)                                                             \
    NATIVE_RMW(type, atomic##bits, fetch_nand, ~(old & value))                                                         \
    RMW_HOOK(type, bits, exchange, RMW_EXCHANGE)                                                                       \
    RMW_HOOK(type, bits, fetch_add, RMW_ADD)                                                                           \
    RMW_HOOK(type, bits, fetch_sub, RMW_SUB)                                                                           \
    RMW_HOOK(type, bits, fetch_and, RMW_AND)                                                                           \
    RMW_HOOK(type, bits, fetch_or, RMW_OR)                                                                             \
    RMW_HOOK(type, bits, fetch_xor, RMW_XOR)                                                                           \
    RMW_HOOK(type, bits, fetch_nand, RMW_NAND)                                                                         \
    HOOK(__tsan_atomic##bits##_load);                                                                                  \
    HOOK_BODY CROSSES_SWITCH type __tsan_atomic##bits##_load_body(const volatile type *p, int order)                   \
    {                                                                                                                  \
        if (!engine.running)                                                                                           \
            return __atomic_load_n(p, SEQ_CST);                                                                        \
        LOOK(p);                                                                                                       \
        return (type)atomic_load((volatile void *)(uintptr_t)p, sizeof(type), order, HERE);                            \
    }                                                                                                                  \
    HOOK(__tsan_atomic##bits##_store);                                                                                 \
    HOOK_BODY CROSSES_SWITCH void __tsan_atomic##bits##_store_body(volatile type *p, type value, int order)            \
    {                                                                                                                  \
        if (!engine.running) {                                                                                         \
            __atomic_store_n(p, value, SEQ_CST);                                                                       \
            return;                                                                                                    \
        }                                                                                                              \
        LOOK(p);                                                                                                       \
        atomic_store(p, sizeof(type), value, order, HERE);                                                             \
    }                                                                                                                  \
    HOOK(__tsan_atomic##bits##_compare_exchange_val);                                                                  \
    HOOK_BODY type __tsan_atomic##bits##_compare_exchange_val_body(volatile type *p, type expected, type value,        \
                                                                   int order, int order_failure)                       \
    {                                                                                                                  \
        if (!engine.running) {                                                                                         \
            __atomic_compare_exchange_n(p, &expected, value, 0, SEQ_CST, SEQ_CST);                                     \
            return expected;                                                                                           \
        }                                                                                                              \
        LOOK(p);                                                                                                       \
        return (type)atomic_cas(p, sizeof(type), expected, value, order, order_failure, HERE);                         \
    }                                                                                                                  \
    static inline int cas##bits(volatile type *p, type *expected, type value, int order, int order_failure,            \
                                const void *pc)                                                                        \
    {                                                                                                                  \
        if (!engine.running)                                                                                           \
            return __atomic_compare_exchange_n(p, expected, value, 0, SEQ_CST, SEQ_CST);                               \
        look_at_expected(expected, sizeof(type), pc);                                                                  \
        type wanted = *expected;                                                                                       \
        type found = (type)atomic_cas(p, sizeof(type), wanted, value, order, order_failure, pc);                       \
        if (found == wanted)                                                                                           \
            return 1;                                                                                                  \
        keep_expected(expected, sizeof(type), pc);                                                                     \
        *expected = found;                                                                                             \
        return 0;                                                                                                      \
    }                                                                                                                  \
    HOOK(__tsan_atomic##bits##_compare_exchange_strong);                                                               \
    HOOK_BODY int __tsan_atomic##bits##_compare_exchange_strong_body(volatile type *p, type *expected, type value,     \
                                                                     int order, int order_failure)                     \
    {                                                                                                                  \
        if (engine.running)                                                                                            \
            LOOK(p);                                                                                                   \
        return cas##bits(p, expected, value, order, order_failure, HERE);                                              \
    }                                                                                                                  \
    HOOK(__tsan_atomic##bits##_compare_exchange_weak);                                                                 \
    HOOK_BODY int __tsan_atomic##bits##_compare_exchange_weak_body(volatile type *p, type *expected, type value,       \
                                                                   int order, int order_failure)                       \
    {                                                                                                                  \
        if (engine.running)                                                                                            \
            LOOK(p);                                                                                                   \
        return cas##bits(p, expected, value, order, order_failure, HERE);                                              \
    }

ATOMICS(uint8_t, 8)
ATOMICS(uint16_t, 16)
ATOMICS(uint32_t, 32)
ATOMICS(uint64_t, 64)

PUBLIC void __tsan_atomic_thread_fence(int order)
{
    if (!engine.running) {
        __atomic_thread_fence(SEQ_CST);
        return;
    }
    know_fence(&engine.races, &engine.running->know, order);
    state_releases_silently();
}

PUBLIC void __tsan_atomic_signal_fence(int order)
{
    (void)order;
}

// Sixteen bytes.
static wide native_wide_rmw(volatile wide *p, enum rmw op, wide operand)
{
    wide old = wide_swap(p, 0, 0);
    for (;;) {
        wide value = op == RMW_EXCHANGE ? operand
                     : op == RMW_ADD    ? old + operand
                     : op == RMW_SUB    ? old - operand
                     : op == RMW_AND    ? old & operand
                     : op == RMW_OR     ? old | operand
                     : op == RMW_XOR    ? old ^ operand
                                        : ~(old & operand);
        wide found = wide_swap(p, old, value);
        if (found == old)
            return old;
        old = found;
    }
}

PUBLIC wide __tsan_atomic128_load(const volatile wide *p, int order)
{
    volatile wide *q = (volatile wide *)(uintptr_t)p;
    return engine.running ? atomic_load(q, 16, order, HERE) : wide_swap(q, 0, 0);
}

PUBLIC void __tsan_atomic128_store(volatile wide *p, wide value, int order)
{
    if (engine.running)
        atomic_store(p, 16, value, order, HERE);
    else
        native_wide_rmw(p, RMW_EXCHANGE, value);
}

#define WIDE_RMW(operation, op)                                                                                        \
    PUBLIC wide __tsan_atomic128_##operation(volatile wide *p, wide value, int order)                                  \
    {                                                                                                                  \
        return engine.running ? atomic_rmw(op, p, 16, value, order, HERE) : native_wide_rmw(p, op, value);             \
    }
WIDE_RMW(exchange, RMW_EXCHANGE)
WIDE_RMW(fetch_add, RMW_ADD)
WIDE_RMW(fetch_sub, RMW_SUB)
WIDE_RMW(fetch_and, RMW_AND)
WIDE_RMW(fetch_or, RMW_OR)
WIDE_RMW(fetch_xor, RMW_XOR)
WIDE_RMW(fetch_nand, RMW_NAND)

PUBLIC wide __tsan_atomic128_compare_exchange_val(volatile wide *p, wide expected, wide value, int order, int failure)
{
    return engine.running ? atomic_cas(p, 16, expected, value, order, failure, HERE) : wide_swap(p, expected, value);
}

static int wide_cas(volatile wide *p, wide *expected, wide value, int order, int failure, const void *pc)
{
    if (engine.running)
        look_at_expected(expected, 16, pc);
    wide wanted = *expected;
    wide found = engine.running ? atomic_cas(p, 16, wanted, value, order, failure, pc) : wide_swap(p, wanted, value);
    if (found == wanted)
        return 1;
    if (engine.running)
        keep_expected(expected, 16, pc);
    *expected = found;
    return 0;
}

PUBLIC int __tsan_atomic128_compare_exchange_strong(volatile wide *p, wide *expected, wide value, int order,
                                                    int failure)
{
    return wide_cas(p, expected, value, order, failure, HERE);
}

PUBLIC int __tsan_atomic128_compare_exchange_weak(volatile wide *p, wide *expected, wide value, int order, int failure)
{
    return wide_cas(p, expected, value, order, failure, HERE);
}

// libatomic's names for the same.
LIBATOMIC_NAMES();
