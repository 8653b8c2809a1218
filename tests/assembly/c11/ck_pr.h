// Stands in front of Concurrency Kit's header of this name: the operations that its locks, stack, ring, FIFO, hash set, hash
// table and epoch use, by the compiler's atomics instead of inline assembly, with the orders that x86 gives. The same program has
// to have the same executions with either.
#ifndef CK_PR_H
#define CK_PR_H

#include <ck_cc.h>
#include <ck_md.h>
#include <ck_stdbool.h>
#include <ck_stdint.h>

#define CK_F_PR_LOAD_8
#define CK_F_PR_LOAD_64
#define CK_F_PR_STORE_8
#define CK_F_PR_STORE_64
#define CK_F_PR_FAA_32
#define CK_F_PR_INC_16
#define CK_F_PR_CAS_32
#define CK_F_PR_CAS_PTR_2
#define CK_F_PR_CAS_PTR_2_VALUE

#define FENCE(name)                                                                                                    \
    static inline void ck_pr_fence_##name(void)                                                                        \
    {                                                                                                                  \
        __atomic_thread_fence(__ATOMIC_SEQ_CST);                                                                       \
    }
FENCE(load)
FENCE(load_store)
FENCE(store)
FENCE(store_load)
FENCE(store_atomic)
FENCE(atomic)
FENCE(atomic_load)
FENCE(memory)
FENCE(acquire)
FENCE(release)
FENCE(lock)
FENCE(unlock)

static inline void ck_pr_barrier(void)
{
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

static inline void ck_pr_stall(void)
{
    __builtin_ia32_pause();
}

#define LOAD(p) __atomic_load_n(p, __ATOMIC_ACQUIRE)
#define ck_pr_load_uint(p) LOAD(p)
#define ck_pr_load_8(p) LOAD(p)
#define ck_pr_load_32(p) LOAD(p)
#define ck_pr_load_64(p) LOAD(p)
#define ck_pr_load_ptr(p) ((void *)LOAD(p))

#define STORE(p, v) __atomic_store_n(p, v, __ATOMIC_RELEASE)
#define ck_pr_store_uint(p, v) STORE(p, v)
#define ck_pr_store_8(p, v) STORE(p, (uint8_t)(v))
#define ck_pr_store_64(p, v) STORE(p, v)
#define ck_pr_store_ptr(p, v) STORE(p, v)
#define ck_pr_store_ptr_unsafe(p, v) STORE((void **)(p), v)

#define ck_pr_faa_32(p, v) __atomic_fetch_add((uint32_t *)(p), v, __ATOMIC_SEQ_CST)
#define ck_pr_faa_uint(p, v) __atomic_fetch_add(p, v, __ATOMIC_SEQ_CST)
#define ck_pr_fas_uint(p, v) __atomic_exchange_n(p, v, __ATOMIC_SEQ_CST)
#define ck_pr_fas_ptr(p, v) __atomic_exchange_n((void **)(p), v, __ATOMIC_SEQ_CST)
#define ck_pr_inc_16(p) ((void)__atomic_fetch_add(p, 1, __ATOMIC_SEQ_CST))
#define ck_pr_add_uint(p, v) ((void)__atomic_fetch_add(p, v, __ATOMIC_SEQ_CST))
#define ck_pr_sub_uint(p, v) ((void)__atomic_fetch_sub(p, v, __ATOMIC_SEQ_CST))
#define ck_pr_inc_uint(p) ck_pr_add_uint(p, 1)
#define ck_pr_dec_uint(p) ck_pr_sub_uint(p, 1)
#define ck_pr_inc_int(p) ((void)__atomic_fetch_add(p, 1, __ATOMIC_SEQ_CST))

static inline bool ck_pr_cas_uint_value(unsigned *p, unsigned old, unsigned value, unsigned *found)
{
    bool done = __atomic_compare_exchange_n(p, &old, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    *found = old;
    return done;
}

static inline bool ck_pr_cas_uint(unsigned *p, unsigned old, unsigned value)
{
    return ck_pr_cas_uint_value(p, old, value, &old);
}

#define ck_pr_cas_32(p, old, value) ck_pr_cas_uint((unsigned *)(p), old, value)

static inline bool ck_pr_cas_ptr_value(void *p, void *old, void *value, void *found)
{
    bool done = __atomic_compare_exchange_n((void **)p, &old, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    *(void **)found = old;
    return done;
}

static inline bool ck_pr_cas_ptr(void *p, void *old, void *value)
{
    return ck_pr_cas_ptr_value(p, old, value, &old);
}

static inline bool ck_pr_cas_ptr_2_value(void *p, void *old, void *value, void *found)
{
    unsigned __int128 expected = *(unsigned __int128 *)old;
    bool done = __atomic_compare_exchange_n((unsigned __int128 *)p, &expected, *(unsigned __int128 *)value, false,
                                            __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    *(unsigned __int128 *)found = expected;
    return done;
}

static inline bool ck_pr_cas_ptr_2(void *p, void *old, void *value)
{
    unsigned __int128 found;
    return ck_pr_cas_ptr_2_value(p, old, value, &found);
}

#endif
