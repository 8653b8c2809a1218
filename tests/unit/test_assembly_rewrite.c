// A compiler's output with its inline assembly announced: what is inserted and where, what is left alone, and which
// registers are still needed.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "build/assembly/assembly_liveness.h"
#include "build/assembly/assembly_rewrite.h"
#include "build/assembly/assembly_statement.h"

static char *rewritten;

static const char *rewrite(const char *text)
{
    size_t size;
    free(rewritten);
    rewritten = assembly_rewrite(text, strlen(text), &size);
    if (rewritten)
        assert_int_equal(strlen(rewritten), size);
    return rewritten;
}

static int tear_down(void **state)
{
    (void)state;
    free(rewritten);
    rewritten = NULL;
    return 0;
}

static unsigned count(const char *what)
{
    unsigned n = 0;
    for (const char *at = rewritten; at && (at = strstr(at, what)); at++)
        n++;
    return n;
}

static void in_order(const char *first, const char *second)
{
    const char *at = strstr(rewritten, first);
    if (!at || !strstr(at + strlen(first), second))
        fail_msg("'%s' before '%s' expected in:\n%s", first, second, rewritten);
}

static void test_left_alone(void **state)
{
    (void)state;
    assert_null(rewrite(""));
    assert_null(rewrite("f:\n\tlock incl (%rdi)\n\tret\n")); // not inline assembly
    assert_null(rewrite("#APP\n# 1 \"a.c\" 1\n\tpause\n# 0 \"\" 2\n#NO_APP\n"));
    assert_null(rewrite("#APP\n#NO_APP\n#APP"));
}

static void test_announced(void **state)
{
    (void)state;
    assert_non_null(rewrite("\t.type f, @function\nf:\n\tcall __tsan_func_entry\n#APP\n# 1 \"a.c\" 1\n\t1: lock; incl "
                            "8(%rsp); jnz 1b\n# 0 \"\" 2\n#NO_APP\n\tret\n"));
    in_order("1: ", "leaq -128(%rsp),%rsp;pushfq;pushq %rax;leaq 144+8(%rsp),%rax;"); // in the loop
    in_order("popfq;", "lock incl 8(%rsp)");
    in_order("incl 8(%rsp)", "jnz 1b");
    assert_int_equal(count("call *__heddle_asm@"), 1);
    in_order(".Lheddle_unit:\n\t.long 1, 0, 0, 0\n", "__heddle_asm_unit");
    assert_non_null(rewrite("\t#APP\n\tlock\t\n\txaddl %eax, %fs:x@tpoff\n\t#NO_APP\n"));
    in_order("leaq x@tpoff,%rax;addq %fs:0,%rax;", "lock xaddl %eax, %fs:x@tpoff");
}

// Line numbers in what the assembler says have to stay right.
static void test_lines_stay(void **state)
{
    (void)state;
    const char *text = "#APP\n\tmovl (%rdi), %eax; movl %eax, (%rsi)\n\n\tmfence # lock incl (%rax)\n#NO_APP\nlast:\n";
    unsigned before = 0, after = 0;
    assert_non_null(rewrite(text));
    for (const char *at = text; at < strstr(text, "last:"); at++)
        before += *at == '\n';
    for (const char *at = rewritten; at < strstr(rewritten, "last:"); at++)
        after += *at == '\n';
    assert_int_equal(before, after);
    in_order("\t.long 2, 0, 0, 0\n", "");
}

static void test_comments_and_strings(void **state)
{
    (void)state;
    assert_null(rewrite(
        "#APP\n\t/* lock incl (%rax)\n\tlock incl (%rax) */ pause\n\t.ascii \"; lock incl (%rax)\"\n#NO_APP\n"));
    assert_non_null(rewrite("#APP\n\t/* a */ lock /* b */ incl (%rax) # c\n#NO_APP\n"));
    in_order("lock  incl (%rax)", "#NO_APP");
}

static void test_missed(void **state)
{
    (void)state;
    assert_non_null(rewrite("\t.file 1 \"dir\" \"b.h\"\n\t.loc 1 17 3\n#APP\n\trdtsc\n#NO_APP\n"));
    in_order(".long 0, 1, 0, 0", "`rdtsc' at dir/b.h:17");
    assert_non_null(rewrite("#APP\n# 9 \"a \\q.c\" 1\n\tfxsave (%rax)\n# 0 \"\" 2\n#NO_APP\n"));
    in_order(".long 0, 1, 1, 0", "`fxsave (%rax)' at a ");
    assert_non_null(
        rewrite("#APP\n\t.intel_syntax noprefix\n\tinc dword ptr [rax]\n\tinc eax\n\t.att_syntax\n#NO_APP\n"));
    in_order(".long 0, 1, 1, 0", "inc dword ptr [rax]");
    assert_non_null(rewrite("#APP\n\t.byte 0xf0\n#NO_APP\n"));
    assert_non_null(rewrite("#APP\n\t.macro m\n\tlock incl (%rax)\n\t.endm\n\tm\n#NO_APP\n"));
    in_order(".long 0, 1, 1, 0", "lock incl (%rax)");
    assert_non_null(
        rewrite("#APP\n\t.pushsection .other,\"ax\"\n\tincl (%rax)\n\t.popsection\n\tincl (%rax)\n#NO_APP\n"));
    in_order(".long 1, 1, 1, 0", "incl (%rax)");
}

// What is needed before instruction `number` of the inline assembly in these lines; those that begin with ! are such.
static uint32_t live(const char *const *lines, size_t number)
{
    struct liveness *l = liveness_new();
    liveness_function(l, "f");
    for (; *lines; lines++) {
        size_t length = strlen(*lines);
        if ((*lines)[length - 1] == ':')
            liveness_label(l, *lines, length - 1);
        else
            liveness_instruction(l, *lines + (**lines == '!'), **lines == '!');
    }
    liveness_solve(l);
    uint32_t needed = liveness_before(l, number);
    liveness_free(l);
    return needed;
}

enum { RAX = 1, RCX = 2, RDX = 4, RSI = 64, RDI = 128 };

static void test_live(void **state)
{
    (void)state;
    const char *const loop[] = {"call __tsan_func_entry",
                                "xorl %ecx, %ecx",
                                "1:",
                                "!movl (%rdi), %eax",
                                "cmpl %edx, %eax",
                                "jne 1b",
                                "call __tsan_func_exit",
                                "movl $0, %eax",
                                "ret",
                                NULL};
    assert_int_equal(live(loop, 0) & 0xff & (RAX | RCX | RDX | RSI | RDI), RDX | RDI);
    assert_false(live(loop, 0) & LIVE_FLAGS);
    const char *const counted[] = {"movl $3, %ecx", ".L1:", "!movl (%rdi), %eax", "subl $1, %ecx", "jne .L1",
                                   "ret",           NULL};
    assert_true(live(counted, 0) & RCX);
    const char *const flags[] = {"!cmpl $1, %esi", "!movl $8, (%rdi)", "!jne 2f", "2:", "ret", NULL};
    assert_false(live(flags, 0) & LIVE_FLAGS);
    assert_true(live(flags, 1) & LIVE_FLAGS);
    const char *const swap[] = {"!lock cmpxchgl %edx, (%rdi)", "sete %cl", "movzbl %cl, %eax", "ret", NULL};
    assert_int_equal(live(swap, 0) & (RAX | RCX | RDX | RDI), RAX | RCX | RDX | RDI);
    const char *const unknown[] = {"!frobnicate", "ret", NULL};
    assert_int_equal(live(unknown, 0) & 0xffff, 0xffff);
    const char *const elsewhere[] = {"movl $1, %esi", "!movl (%rdi), %eax", "jmp other", NULL};
    assert_true(live(elsewhere, 0) & RSI);
    const char *const vector[] = {"!movl (%rdi), %eax", "addsd %xmm0, %xmm1", "ret", NULL};
    assert_true(live(vector, 0) & REGISTER_VECTORS);
    assert_true(live(vector, 0) & LIVE_BELOW);
    const char *const none[] = {"call __tsan_func_entry", "!movl (%rdi), %eax", "ret", NULL};
    assert_false(live(none, 0) & REGISTER_VECTORS);
    assert_false(live(none, 0) & LIVE_BELOW);
    const char *const below[] = {"call __tsan_func_entry", "!movl -8(%rsp), %eax", "ret", NULL};
    assert_true(live(below, 0) & LIVE_BELOW);
    const char *const through[] = {"!mfence", "jmp elsewhere", NULL};
    assert_int_equal(live(through, 0) & (RDI | RSI | REGISTER_VECTORS), RDI | RSI | REGISTER_VECTORS);
    assert_int_equal(live(none, 1), LIVE_ALL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_left_alone, tear_down),
        cmocka_unit_test_teardown(test_announced, tear_down),
        cmocka_unit_test_teardown(test_lines_stay, tear_down),
        cmocka_unit_test_teardown(test_comments_and_strings, tear_down),
        cmocka_unit_test_teardown(test_missed, tear_down),
        cmocka_unit_test(test_live),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
