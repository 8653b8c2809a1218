// Compiled code: which accesses get a call in front of them because no hook of the compiler's tells of them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "build/assembly/assembly_rewrite.h"

static char *rewritten;

static int tear_down(void **state)
{
    (void)state;
    free(rewritten);
    rewritten = NULL;
    return 0;
}

// Rewrites a function with this body.
static unsigned announced(const char *body)
{
    char text[4096];
    size_t size;
    snprintf(
        text, sizeof text,
        "\t.type f, @function\nf:\n\t.cfi_startproc\n%s\tret\n\t.cfi_endproc\n\t.section .rodata\ntable:\n\t.long 1\n"
        "\t.text\n\tcall __tsan_init\n",
        body);
    free(rewritten);
    rewritten = assembly_rewrite(text, strlen(text), &size);
    unsigned n = 0;
    for (const char *at = rewritten; at && (at = strstr(at, "call *__heddle_asm")); at++)
        n++;
    return n;
}

static void in_front_of(const char *instruction)
{
    const char *call = strstr(rewritten, "call *__heddle_asm");
    const char *line = call ? strchr(call, '\n') : NULL;
    if (!line || strncmp(line + 1 + strspn(line + 1, "\t"), instruction, strlen(instruction)) != 0)
        fail_msg("a call expected right in front of '%s' in:\n%s", instruction, rewritten);
}

static void test_told(void **state)
{
    (void)state;
    assert_int_equal(announced("\tleaq x(%rip), %rdi\n\tcall __tsan_write4\n\tmovl $1, x(%rip)\n"), 0);
    assert_int_equal(announced("\tmovl $x, %edi\n\tcall __tsan_read4\n\tmovl x, %eax\n"), 0);
    assert_int_equal(
        announced("\tmovq %rdi, %rbx\n\tleaq 8(%rbx,%rsi,4), %rdi\n\tmovq %rsi, %r12\n\tcall __tsan_read8@PLT\n"
                  "\tmovq 8(%rbx,%r12,4), %rax\n"),
        0);
    assert_int_equal(
        announced("\tmovl $x+8, %edi\n\tmovl $24, %esi\n\tcall __tsan_read_range\n\tmovdqu x+16(%rip), %xmm0\n"), 0);
    assert_int_equal(
        announced("\tmovq x@GOTPCREL(%rip), %rbx\n\tmovq %rbx, %rdi\n\tcall __tsan_read4\n\tmovl x(%rip), %eax\n"), 0);
    assert_int_equal(
        announced("\tmovq %fs:0, %rax\n\tleaq x@tpoff(%rax), %rdi\n\tcall __tsan_read4\n\tmovl %fs:x@tpoff, %eax\n"),
        0);
}

static void test_untold(void **state)
{
    (void)state;
    assert_int_equal(announced("\tcall g\n\tmovq %rax, x(%rip)\n"), 1);
    in_front_of("movq %rax, x(%rip)");
    assert_int_equal(announced("\tmovl $x, %edi\n\tcall __tsan_read4\n\tmovl $1, x(%rip)\n"), 1);  // of a read only
    assert_int_equal(announced("\tmovl $x, %edi\n\tcall __tsan_write4\n\tmovq $1, x(%rip)\n"), 1); // of a part
    assert_int_equal(announced("\tmovl $x, %edi\n\tcall __tsan_write4\n\tcall g\n\tmovl $1, x(%rip)\n"),
                     1); // too long ago
    assert_int_equal(announced("\tmovl $x, %edi\n\tcall __tsan_write4\n\tmovl $y, %edi\n\tcall __tsan_volatile_read4\n"
                               "\tmovl y(%rip), %eax\n\tmovl $1, x(%rip)\n"),
                     1);
    assert_int_equal(announced("\tpushq x+8(%rip)\n\tpushq x(%rip)\n\tcall g\n"), 2);
    assert_int_equal(announced("\tmovl $6, %ecx\n\tmovq %rbx, %rdi\n\tmovl $x, %esi\n\trep movsq\n"), 1);
    assert_int_equal(announced("\tfstpt x(%rip)\n"), 1);
    assert_int_equal(announced("\tmovups %xmm0, (%rdi)\n"), 1);
    assert_non_null(strstr(rewritten, "__heddle_asm_vector"));
}

// Registers keep what they hold around a loop, and where two paths meet.
// `make asan` notices if the least number is negated as one that has a sign.
static void test_least_number(void **state)
{
    (void)state;
    assert_int_equal(announced("\tmovabsq $-9223372036854775808, %rax\n\tmovq %rax, x(%rip)\n"), 1);
    in_front_of("movq %rax, x(%rip)");
}

static void test_loop(void **state)
{
    (void)state;
    assert_int_equal(
        announced("\tmovl $x, %ebx\n.L2:\n\tcall g\n\tmovq %rbx, %rdi\n\tcall __tsan_read4\n\tmovl x(%rip), %eax\n"
                  "\ttestl %eax, %eax\n\tjne .L2\n"),
        0);
    assert_int_equal(
        announced("\tmovl $x, %ebx\n.L2:\n\tcall g\n\tmovq %rbx, %rdi\n\tcall __tsan_read4\n\tmovl x(%rip), %eax\n"
                  "\taddq $4, %rbx\n\tjne .L2\n"),
        1);
    assert_int_equal(
        announced("\tmovl $x, %ebx\n\ttestl %eax, %eax\n\tje .L3\n\tmovl $y, %ebx\n.L3:\n\tmovq %rbx, %rdi\n"
                  "\tcall __tsan_read4\n\tmovl x(%rip), %eax\n"),
        1);
}

// What tells of a bad index jumps back behind the test, once it has loaded again what the call may have changed. Nothing flows from there,
// unless something else leads into it.
static void test_bad_index(void **state)
{
    (void)state;
    const char *const code =
        "\tleaq x(%%r15), %%rax\n\tcmpq $25, %%r15\n\tja .L21\n.L8:\n\tmovq %%rax, %%rdi\n\tcall __tsan_write1\n"
        "\tmovb $1, x(%%r15)\n%s\tret\n.L21:\n\tcall __ubsan_handle_out_of_bounds\n.LVL3:\n%s\tmovq 8(%%rsp), %%rax\n"
        "\tjmp .L8\n";
    char body[1024];
    snprintf(body, sizeof body, code, "", "");
    assert_int_equal(announced(body), 0);
    snprintf(body, sizeof body, code, "\ttestl %ebx, %ebx\n\tje .L22\n", ".L22:\n");
    assert_int_equal(announced(body), 1);
    in_front_of("movb $1, x(%r15)");
}

// gcc puts the store of `if (!table[i]) table[i] = w` in front of the loop's test, which jumps back to it.
static void test_jump_back(void **state)
{
    (void)state;
    const char *const loop =
        "\tjmp .L4\n.L2:\n\tcall __tsan_write4\n\tmovq %%r12, %%rdi\n\tmovl %%ebx, x(,%%r15,4)\n\tcall g\n"
        ".L4:\n\tcall h\n\tmovslq %%eax, %%r15\n%s\tleaq x(,%%r15,4), %%rdi\n\tmovq %%rdi, %%r14\n"
        "\tcall __tsan_read4\n\tmovl x(,%%r15,4), %%eax\n\tmovq %%r14, %%rdi\n%s\ttestl %%eax, %%eax\n\tje .L2\n%s";
    char body[1024];
    snprintf(body, sizeof body, loop, "", "", "");
    assert_int_equal(announced(body), 0);
    snprintf(body, sizeof body, loop, "", "\taddq $1, %r15\n", ""); // another element
    assert_int_equal(announced(body), 1);
    in_front_of("movl %ebx, x(,%r15,4)");
    snprintf(body, sizeof body, loop, "\ttestl %eax, %eax\n\tje .L2\n", "",
             ""); // a second way, of which nothing was told
    assert_int_equal(announced(body), 1);
    in_front_of("movl %ebx, x(,%r15,4)");
    snprintf(body, sizeof body, loop, "", "",
             "\taddq $1, %r15\n\tjmp *%rax\n\t.section .rodata\n\t.quad .L2\n\t.text\n"); // or one by its address
    assert_int_equal(announced(body), 1);
}

static void test_own(void **state)
{
    (void)state;
    assert_int_equal(announced("\tmovl table(%rip), %eax\n\tmovl .LC0(%rip), %eax\n\tjmp *.L4(,%rax,8)\n"
                               "\t.section .rodata\n.L4:\n\t.quad f\n\t.text\n"),
                     0);
    assert_int_equal(announced("\tmovq %rdi, -8(%rsp)\n\tmovq -8(%rsp), %rax\n\tmovq %fs:40, %rdx\n"), 0);
    // The address of a struct on the stack is handed on before a call's result goes there.
    assert_int_equal(
        announced(
            "\tsubq $24, %rsp\n\t.cfi_def_cfa_offset 32\n\tmovq %rsp, %rdi\n\tcall start\n\tcall __tsan_func_entry\n"
            "\tcall make\n\tmovq %rax, (%rsp)\n\taddq $24, %rsp\n\t.cfi_def_cfa_offset 8\n"),
        1);
    in_front_of("movq %rax, (%rsp)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_told), cmocka_unit_test(test_untold),    cmocka_unit_test(test_least_number),
        cmocka_unit_test(test_loop), cmocka_unit_test(test_bad_index), cmocka_unit_test(test_jump_back),
        cmocka_unit_test(test_own),
    };
    return cmocka_run_group_tests(tests, NULL, tear_down);
}
