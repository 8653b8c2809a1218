// One statement of assembly: what it accesses, how large, with which operand; and everything else is refused by name.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "build/assembly/assembly_statement.h"

static struct statement s;

static void announces(const char *prefixes, const char *text, int kind, int size, const char *memory)
{
    if (statement_read(&s, prefixes, text) != STATEMENT_ANNOUNCE)
        fail_msg("'%s%s' is not announced", prefixes, text);
    if (s.site.kind != kind || s.site.size != size)
        fail_msg("'%s%s': kind %d, size %d", prefixes, text, s.site.kind, s.site.size);
    assert_string_equal(s.memory, memory);
}

static void is_silent(const char *text)
{
    if (statement_read(&s, "", text) != STATEMENT_SILENT)
        fail_msg("'%s' is not silent", text);
}

static void is_missed(const char *text, bool writes)
{
    if (statement_read(&s, "", text) != STATEMENT_MISSED)
        fail_msg("'%s' is not missed", text);
    if (s.writes != writes)
        fail_msg("'%s': whether it writes is wrong", text);
}

static void test_loads_and_stores(void **state)
{
    (void)state;
    announces("", "movq (%rdi), %rax", ASSEMBLY_LOAD, 8, "(%rdi)");
    announces("", "movl\tx+4(%rip),%eax", ASSEMBLY_LOAD, 4, "x+4(%rip)");
    announces("", "mov 8(%rax,%rcx,4), %dl", ASSEMBLY_LOAD, 1, "8(%rax,%rcx,4)");
    announces("", "movzbl (%rdi), %eax", ASSEMBLY_LOAD, 1, "(%rdi)");
    announces("", "movswq (%rdi), %rax", ASSEMBLY_LOAD, 2, "(%rdi)");
    announces("", "movslq (%rdi), %rax", ASSEMBLY_LOAD, 4, "(%rdi)");
    announces("", "cmpl $0, (%rdi)", ASSEMBLY_LOAD, 4, "(%rdi)");
    announces("", "testb %al, (%rdi)", ASSEMBLY_LOAD, 1, "(%rdi)");
    announces("", "addq (%rdi), %rax", ASSEMBLY_LOAD, 8, "(%rdi)");
    announces("", "cmovneq (%rdi), %rax", ASSEMBLY_LOAD, 8, "(%rdi)");
    announces("", "jmp *16(%rax)", ASSEMBLY_LOAD, 8, "16(%rax)");
    announces("", "movw $-3, 2(%r9)", ASSEMBLY_STORE, 2, "2(%r9)");
    assert_string_equal(s.immediate, "-3");
    assert_int_equal(s.site.source, ASSEMBLY_NO_REGISTER);
    announces("", "movq %r10, (%rdi)", ASSEMBLY_STORE, 8, "(%rdi)");
    assert_int_equal(s.site.source, 10);
    announces("", "movb %bh, (%rdi)", ASSEMBLY_STORE, 1, "(%rdi)");
    assert_int_equal(s.site.source, 3);
    assert_int_equal(s.site.flags, ASSEMBLY_HIGH_BYTE);
    announces("", "movq %xmm3, (%rdi)", ASSEMBLY_STORE, 8, "(%rdi)");
    assert_int_equal(s.site.source, ASSEMBLY_VECTOR + 3);
    announces("", "movl counter, %eax", ASSEMBLY_LOAD, 4, "counter");
}

static void test_locked(void **state)
{
    (void)state;
    announces("lock ", "cmpxchgl %ecx, (%rdi)", ASSEMBLY_COMPARE_EXCHANGE, 4, "(%rdi)");
    assert_int_equal(s.site.source, 1);
    announces("", "lock cmpxchgb %sil, (%rdi)", ASSEMBLY_COMPARE_EXCHANGE, 1, "(%rdi)");
    assert_int_equal(s.site.source, 6);
    announces("", "LOCK CMPXCHG16B (%rsi)", ASSEMBLY_COMPARE_EXCHANGE_PAIR, 16, "(%rsi)");
    announces("lock ", "cmpxchg8b (%rsi)", ASSEMBLY_COMPARE_EXCHANGE_PAIR, 8, "(%rsi)");
    announces("lock ", "xadd %rax, (%rsi)", ASSEMBLY_ADD, 8, "(%rsi)");
    announces("lock ", "incw (%rsi)", ASSEMBLY_ADD, 2, "(%rsi)");
    assert_int_equal(s.site.immediate, 1);
    announces("lock ", "decw (%rsi)", ASSEMBLY_SUB, 2, "(%rsi)");
    announces("lock ", "notq (%rsi)", ASSEMBLY_XOR, 8, "(%rsi)");
    assert_int_equal(s.site.immediate, -1);
    announces("lock ", "negq (%rsi)", ASSEMBLY_NEGATE, 8, "(%rsi)");
    announces("lock ", "btsq %rdx, (%rsi)", ASSEMBLY_BIT_SET, 8, "(%rsi)");
    assert_int_equal(s.site.flags, ASSEMBLY_BIT_STRING);
    announces("lock ", "btrl $3, (%rsi)", ASSEMBLY_BIT_CLEAR, 4, "(%rsi)");
    assert_int_equal(s.site.flags, 0);
    announces("", "xchgl %eax, (%rsi)", ASSEMBLY_EXCHANGE, 4, "(%rsi)");
    announces("", "xchg (%rsi), %rbx", ASSEMBLY_EXCHANGE, 8, "(%rsi)");
    assert_int_equal(s.site.source, 3);
    announces("", "xacquire lock orl $1, %fs:(%rsi)", ASSEMBLY_OR, 4, "(%rsi)");
    assert_true(s.thread_local_memory);
}

static void test_fences(void **state)
{
    (void)state;
    announces("", "mfence", ASSEMBLY_FENCE, 0, "");
    assert_int_equal(s.site.immediate, __ATOMIC_SEQ_CST);
    announces("", "lfence", ASSEMBLY_FENCE, 0, "");
    assert_int_equal(s.site.immediate, __ATOMIC_ACQUIRE);
    announces("lock ", "addl $0, -4(%rsp)", ASSEMBLY_FENCE, 0, "");
    announces("lock ", "addl $1, -4(%rsp)", ASSEMBLY_ADD, 4, "-4(%rsp)");
    announces("lock ", "addl $0, (%rdi)", ASSEMBLY_ADD, 4, "(%rdi)");
}

static void test_plain(void **state)
{
    (void)state;
    announces("", "addl $1, (%rdi)", ASSEMBLY_ADD, 4, "(%rdi)");
    assert_int_equal(s.site.flags, ASSEMBLY_UNLOCKED);
    announces("", "shlq %cl, (%rdi)", ASSEMBLY_PLAIN_UPDATE, 8, "(%rdi)");
    announces("", "sete (%rdi)", ASSEMBLY_PLAIN_WRITE, 1, "(%rdi)");
    announces("", "movdqu (%rdi), %xmm0", ASSEMBLY_PLAIN_READ, 16, "(%rdi)");
    announces("", "vmovups %ymm2, (%rdi)", ASSEMBLY_PLAIN_WRITE, 32, "(%rdi)");
    announces("rep ", "movsb", ASSEMBLY_COPY, 1, "");
    assert_int_equal(s.site.flags, ASSEMBLY_REPEATED);
    announces("", "stosq", ASSEMBLY_FILL, 8, "");
    assert_int_equal(s.site.flags, 0);
    announces("", "rep movsd", ASSEMBLY_COPY, 4, "");
}

static void test_silent(void **state)
{
    (void)state;
    is_silent("movl %eax, %ebx");
    is_silent("leaq 8(%rdi), %rax");
    is_silent("pause");
    is_silent("nopw 0(%rax,%rax,1)");
    is_silent("prefetcht0 (%rdi)");
    is_silent("clflush (%rdi)");
    is_silent("jne 1b");
    is_silent("call printf");
    is_silent("jmp *%rax");
    is_silent("xchg %ax, %ax");
    is_silent("sete %al");
    is_silent("movq x@GOTPCREL(%rip), %rax");
    assert_int_equal(statement_read(&s, "", "lock"), STATEMENT_PREFIX);
    assert_int_equal(statement_read(&s, "lock ", " repe "), STATEMENT_PREFIX);
    static const char *const prefixes[] = {"lock",     "rep",      "repe",    "repz", "repne",  "repnz",
                                           "xacquire", "xrelease", "notrack", "bnd",  "data16", "LOCK"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        assert_int_equal(statement_read(&s, "", prefixes[i]), STATEMENT_PREFIX);
}

// Vectors and floating-point numbers, whose size the name tells.
static void test_wide(void **state)
{
    (void)state;
    announces("", "crc32b (%rdi), %eax", ASSEMBLY_LOAD, 1, "(%rdi)");
    announces("", "crc32q (%rdi), %rax", ASSEMBLY_LOAD, 8, "(%rdi)");
    announces("", "movntiq %rax, (%rdi)", ASSEMBLY_STORE, 8, "(%rdi)");
    announces("", "movntdq %xmm0, (%rdi)", ASSEMBLY_PLAIN_WRITE, 16, "(%rdi)");
    announces("", "vmovntps %ymm0, (%rdi)", ASSEMBLY_PLAIN_WRITE, 32, "(%rdi)");
    announces("", "movntq %mm0, (%rdi)", ASSEMBLY_PLAIN_WRITE, 8, "(%rdi)");
    announces("", "fldt (%rdi)", ASSEMBLY_PLAIN_READ, 10, "(%rdi)");
    announces("", "fstpl 8(%rdi)", ASSEMBLY_PLAIN_WRITE, 8, "8(%rdi)");
    announces("", "filds (%rdi)", ASSEMBLY_PLAIN_READ, 2, "(%rdi)");
    announces("", "addsd (%rdi), %xmm0", ASSEMBLY_PLAIN_READ, 8, "(%rdi)");
    announces("", "pmaxsd (%rdi), %xmm0", ASSEMBLY_PLAIN_READ, 16, "(%rdi)");
    announces("", "vcvtsi2sdl (%rdi), %xmm0, %xmm0", ASSEMBLY_PLAIN_READ, 4, "(%rdi)");
    announces("", "pmovzxbd (%rdi), %xmm0", ASSEMBLY_PLAIN_READ, 4, "(%rdi)");
    announces("", "vextracti128 $1, %ymm0, (%rdi)", ASSEMBLY_PLAIN_WRITE, 16, "(%rdi)");
    announces("", "movhps %xmm0, (%rdi)", ASSEMBLY_PLAIN_WRITE, 8, "(%rdi)");
    announces("", "popq (%rdi)", ASSEMBLY_PLAIN_WRITE, 8, "(%rdi)");
    announces("", "rep movsq (%rsi), %es:(%rdi)", ASSEMBLY_COPY, 8, "");
}

static void test_missed(void **state)
{
    (void)state;
    is_missed("rdtsc", false);
    is_missed("rdtscp", false);
    is_missed("cpuid", false);
    is_missed("syscall", true);
    is_missed("xbegin 1f", false);
    is_missed("popq 8(%rsp)", true);
    is_missed("vmovups (%rdi){%k1}, %zmm0", true);
    is_missed("fxsave (%rdi)", true);
    is_missed("movl %eax, %gs:(%rdi)", true);
    is_missed("movw %ds, (%rdi)", true);
    is_missed("vpgatherdd %ymm1, (%rax,%ymm2,4), %ymm0", true);
    is_missed("movzx (%rdi), %eax", true);
    is_missed("repne scasb", false);
}

// Whatever it is, it is answered.
static void test_odd(void **state)
{
    (void)state;
    static const char *const odd[] = {"mov",
                                      "movl",
                                      "movl ,",
                                      "movl (%rdi",
                                      "movl ((((",
                                      "movl )(,%eax",
                                      "%eax",
                                      "$",
                                      "movl $",
                                      "movl $,(%rdi)",
                                      "movl %,(%rdi)",
                                      "movl %fs:,%eax",
                                      "lock lock lock",
                                      ",,,,,,,,",
                                      "movl 1,2,3,4,5,6,7,8",
                                      "\x80\xff",
                                      "set",
                                      "cmov",
                                      "j",
                                      "add%rdi",
                                      "*",
                                      "movl *,*"};
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
        statement_read(&s, "", odd[i]);
    char *longest = malloc(5000);
    memset(longest, '(', 4999);
    longest[4999] = 0;
    assert_int_equal(statement_read(&s, "", longest), STATEMENT_MISSED);
    memcpy(longest, "movl ", 5);
    assert_int_equal(statement_read(&s, "", longest), STATEMENT_MISSED);
    memset(longest, 'a', 4999);
    assert_int_equal(statement_read(&s, "", longest), STATEMENT_MISSED);
    free(longest);
}

static void test_registers(void **state)
{
    (void)state;
    assert_int_equal(register_bit("rax", 3), 1);
    assert_int_equal(register_bit("al", 2), 1);
    assert_int_equal(register_bit("ah", 2), 1);
    assert_int_equal(register_bit("r15d", 4), 1 << 15);
    assert_int_equal(register_bit("sil", 3), 1 << 6);
    assert_int_equal(register_bit("rip", 3), 0);
    assert_int_equal(register_bit("r16", 3), 0);
    assert_int_equal(register_bit("", 0), 0);
    assert_int_equal(register_bit("zmm31", 5), REGISTER_VECTORS);
    assert_int_equal(register_bit("st", 2), REGISTER_VECTORS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_loads_and_stores), cmocka_unit_test(test_locked),
        cmocka_unit_test(test_fences),           cmocka_unit_test(test_plain),
        cmocka_unit_test(test_silent),           cmocka_unit_test(test_wide),
        cmocka_unit_test(test_missed),           cmocka_unit_test(test_odd),
        cmocka_unit_test(test_registers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
