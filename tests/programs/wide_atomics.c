// expect: verified executions=1
// Every read-modify-write at 8, 16, 32 and 64 bits, in the forms of C11, __atomic and __sync: heddle's own versions of
// them must return what the machine's do.
#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CHECK_ATOMIC(type)                                                    \
    static void check_##type(void)                                            \
    {                                                                         \
        const type most = (type)~(type)0;                                     \
        type cell, old, new, other;                                           \
        __atomic_store_n(&cell, 5, __ATOMIC_SEQ_CST);                         \
        assert(__atomic_load_n(&cell, __ATOMIC_ACQUIRE) == 5);                \
        assert(__atomic_exchange_n(&cell, most, __ATOMIC_ACQ_REL) == 5);      \
        assert(__atomic_fetch_add(&cell, 2, __ATOMIC_RELAXED) == most);       \
        assert(cell == 1); /* it wraps around */                              \
        assert(__atomic_add_fetch(&cell, 2, __ATOMIC_SEQ_CST) == 3);          \
        assert(__atomic_fetch_sub(&cell, 4, __ATOMIC_SEQ_CST) == 3);          \
        assert(__atomic_sub_fetch(&cell, 0, __ATOMIC_RELEASE) == most);       \
        assert(__atomic_fetch_and(&cell, 0x3c, __ATOMIC_SEQ_CST) == most);    \
        assert(__atomic_and_fetch(&cell, 0x0f, __ATOMIC_SEQ_CST) == 0x0c);    \
        assert(__atomic_fetch_or(&cell, 0x03, __ATOMIC_SEQ_CST) == 0x0c);     \
        assert(__atomic_or_fetch(&cell, 0x40, __ATOMIC_SEQ_CST) == 0x4f);     \
        assert(__atomic_fetch_xor(&cell, 0x42, __ATOMIC_SEQ_CST) == 0x4f);    \
        assert(__atomic_xor_fetch(&cell, 0x01, __ATOMIC_SEQ_CST) == 0x0c);    \
        assert(__atomic_fetch_nand(&cell, 0x04, __ATOMIC_SEQ_CST) == 0x0c);   \
        assert(cell == (type)~(type)0x04);                                    \
        assert(__atomic_nand_fetch(&cell, 0x0c, __ATOMIC_SEQ_CST) == (type)~(type)0x08); \
        new = 9;                                                              \
        __atomic_store(&cell, &new, __ATOMIC_RELEASE);                        \
        __atomic_load(&cell, &old, __ATOMIC_SEQ_CST);                         \
        assert(old == 9);                                                     \
        new = 10;                                                             \
        __atomic_exchange(&cell, &new, &other, __ATOMIC_SEQ_CST);             \
        assert(other == 9);                                                   \
        old = 1;                                                              \
        assert(!__atomic_compare_exchange_n(&cell, &old, 2, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)); \
        assert(old == 10 && cell == 10);                                      \
        while (!__atomic_compare_exchange_n(&cell, &old, 11, true, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) \
            ;                                                                 \
        old = 11;                                                             \
        new = 12;                                                             \
        assert(__atomic_compare_exchange(&cell, &old, &new, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)); \
        assert(cell == 12);                                                   \
                                                                              \
        assert(__sync_fetch_and_add(&cell, 1) == 12);                         \
        assert(__sync_add_and_fetch(&cell, 1) == 14);                         \
        assert(__sync_fetch_and_sub(&cell, 1) == 14);                         \
        assert(__sync_sub_and_fetch(&cell, 1) == 12);                         \
        assert(__sync_fetch_and_or(&cell, 3) == 12);                          \
        assert(__sync_or_and_fetch(&cell, 16) == 31);                         \
        assert(__sync_fetch_and_and(&cell, 30) == 31);                        \
        assert(__sync_and_and_fetch(&cell, 28) == 28);                        \
        assert(__sync_fetch_and_xor(&cell, 1) == 28);                         \
        assert(__sync_xor_and_fetch(&cell, 1) == 28);                         \
        assert(__sync_val_compare_and_swap(&cell, 1, 2) == 28);               \
        assert(__sync_val_compare_and_swap(&cell, 28, 2) == 28);              \
        assert(!__sync_bool_compare_and_swap(&cell, 28, 3));                  \
        assert(__sync_bool_compare_and_swap(&cell, 2, 3));                    \
        assert(__sync_lock_test_and_set(&cell, 1) == 3);                      \
        __sync_lock_release(&cell);                                           \
        __sync_synchronize();                                                 \
        assert(cell == 0);                                                    \
                                                                              \
        _Atomic type c11 = 5;                                                 \
        assert(atomic_fetch_add(&c11, 1) == 5);                               \
        assert(atomic_fetch_sub_explicit(&c11, 2, memory_order_relaxed) == 6);\
        assert(atomic_fetch_or(&c11, 3) == 4);                                \
        assert(atomic_fetch_and(&c11, 6) == 7);                               \
        assert(atomic_fetch_xor(&c11, 1) == 6);                               \
        assert(atomic_exchange(&c11, 8) == 7);                                \
        c11 += 2;                                                             \
        c11--;                                                                \
        type expected = 9;                                                    \
        assert(atomic_compare_exchange_strong(&c11, &expected, 1));           \
        assert(!atomic_compare_exchange_strong(&c11, &expected, 2));          \
        assert(expected == 1 && atomic_load(&c11) == 1);                      \
    }

CHECK_ATOMIC(uint8_t)
CHECK_ATOMIC(uint16_t)
CHECK_ATOMIC(uint32_t)
CHECK_ATOMIC(uint64_t)

static void check_signed(void)
{
    static atomic_schar small = -1;
    static atomic_llong wide = -1;
    assert(atomic_fetch_add(&small, -127) == -1 && atomic_load(&small) == -128);
    assert(atomic_fetch_sub(&wide, 1ll << 40) == -1 && atomic_load(&wide) == -1 - (1ll << 40));
}

static void check_others(void)
{
    static int array[3];
    static int *_Atomic pointer = array;
    int *here = array;
    assert(atomic_compare_exchange_strong(&pointer, &here, array + 2) && atomic_load(&pointer) == array + 2);
    assert(atomic_exchange(&pointer, NULL) == array + 2);
    static atomic_bool flag;
    assert(!atomic_exchange(&flag, true) && atomic_load(&flag));
    static atomic_flag taken = ATOMIC_FLAG_INIT;
    assert(!atomic_flag_test_and_set(&taken) && atomic_flag_test_and_set(&taken));
    atomic_flag_clear(&taken);
    assert(!__atomic_test_and_set(&taken, __ATOMIC_SEQ_CST));
    __atomic_clear(&taken, __ATOMIC_SEQ_CST);
    static _Atomic double real = 1.5;
    double seen = 0;
    assert(!atomic_compare_exchange_strong(&real, &seen, 2.5) && seen == 1.5);
    assert(atomic_compare_exchange_strong(&real, &seen, 2.5) && atomic_load(&real) == 2.5);
    atomic_thread_fence(memory_order_seq_cst);
    atomic_signal_fence(memory_order_seq_cst);
}

int main(void)
{
    check_uint8_t();
    check_uint16_t();
    check_uint32_t();
    check_uint64_t();
    check_signed();
    check_others();
    return 0;
}
