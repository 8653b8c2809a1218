// A compiler's output with what nobody reads again cleared in front of calls.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "build/assembly/assembly_remains.h"

static const char prologue[] = "\tpushq\t%rbp\n\tmovq\t%rsp, %rbp\n\tpushq\t%rbx\n\tsubq\t$24, %rsp\n";
static const char epilogue[] = "\taddq\t$24, %rsp\n\tpopq\t%rbx\n\tpopq\t%rbp\n\tret\n";

static char *cleared;

// A function with this body.
static const char *clear(const char *body)
{
    char text[4096];
    size_t size;
    snprintf(text, sizeof text, "\t.type\tf, @function\nf:\n%s%s%s\t.size\tf, .-f\n", prologue, body, epilogue);
    free(cleared);
    cleared = remains_clear(text, strlen(text), &size);
    if (cleared)
        assert_int_equal(strlen(cleared), size);
    return cleared;
}

static int tear_down(void **state)
{
    (void)state;
    free(cleared);
    cleared = NULL;
    return 0;
}

static void has(const char *what)
{
    if (!cleared || !strstr(cleared, what))
        fail_msg("'%s' expected in:\n%s", what, cleared ? cleared : "(nothing)");
}

static void has_not(const char *what)
{
    if (cleared && strstr(cleared, what))
        fail_msg("'%s' not expected in:\n%s", what, cleared);
}

static void test_registers(void **state)
{
    (void)state;
    clear("\tmovq\t(%rdi), %rbx\n\tcall\tg\n\tmovl\t$0, %eax\n");
    has("\tmovl $0,%ebx; call\tg\n");
    has_not("%r12d"); // this function never saved it: it is its caller's
    clear("\tmovq\t(%rdi), %rbx\n\tcall\tg\n\tmovq\t%rbx, %rax\n");
    has_not("%ebx; ");
    clear("\tmovq\t(%rdi), %rbx\n.L1:\n\tcall\tg\n\tmovq\t(%rbx), %rbx\n\ttestq\t%rbx, %rbx\n\tjne\t.L1\n");
    has_not("%ebx; "); // needed in the next round
}

static void test_words_of_the_frame(void **state)
{
    (void)state;
    clear("\tmovq\t%rdi, -24(%rbp)\n\tmovl\t%esi, -28(%rbp)\n\tcall\tg\n\tmovl\t-28(%rbp), %eax\n");
    has("movq $0,-24(%rbp); call\tg\n");
    has_not("$0,-28(%rbp)");
    clear("\tmovl\t%edi, -24(%rbp)\n\tcall\tg\n\tmovl\t-28(%rbp,%rax,4), %eax\n"); // an array: any of it
    has_not("$0,-24(%rbp)");
    clear("\tmovb\t%dil, -24(%rbp)\n\tcall\tg\n"); // only a part of the unit is ever stored
    has_not("$0,-24(%rbp)");
}

static void test_addresses_for_hooks(void **state)
{
    (void)state;
    // `expected` of a compare-and-swap: needed by it, and not afterwards.
    clear("\tmovq\t%rdi, -24(%rbp)\n\tleaq\t-24(%rbp), %rbx\n\tmovq\t%rbx, %rsi\n"
          "\tcall\t__tsan_atomic64_compare_exchange_strong\n\tcall\tg\n");
    has("movl $0,%ebx; call\t__tsan_atomic64");
    has("movq $0,-24(%rbp); call\tg\n");
    has_not("$0,-24(%rbp); call\t__tsan");
    // An announcement comes before the access and is none; nothing is cleared in front of it.
    clear("\tmovq\t%rdi, -24(%rbp)\n\tcall\tg\n\tleaq\t-24(%rbp), %rdi\n\tcall\t__tsan_write8@PLT\n\tmovq\t%rax, "
          "-24(%rbp)\n");
    has("movq $0,-24(%rbp); call\tg\n");
    has("\n\tcall\t__tsan_write8");
    clear(
        "\tmovq\t%rdi, -24(%rbp)\n\tcall\tg\n\tleaq\t-24(%rbp), %rdi\n\tcall\t__tsan_read8\n\tmovq\t-24(%rbp), %rax\n");
    has_not("$0,-24(%rbp)");
}

static void test_addresses_that_get_away(void **state)
{
    static const char *const ways[] = {
        "\tleaq\t-16(%rbp), %rdi\n\tcall\tkeep\n",
        "\tleaq\t-16(%rbp), %rax\n\tmovq\t%rax, global(%rip)\n",
        "\tleaq\t-16(%rbp), %rax\n\tmovq\t%rax, -32(%rbp)\n",
        "\tleaq\t-16(%rbp), %rax\n\tmovl\t%eax, %ecx\n",
        "\tmovq\t%rbp, %rax\n\tsubq\t%rcx, %rax\n\tpushq\t%rax\n",
        "\tmovq\t%rsp, %rax\n",
        "\tmovq\t8(%rsp), %rax\n",
        "\tjmp\t*%rax\n",
    };
    (void)state;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        char body[512];
        snprintf(body, sizeof body, "\tmovq\t%%rdi, -24(%%rbp)\n%s\tcall\tg\n", ways[i]);
        clear(body);
        has_not("$0,-24(%rbp)");
    }
}

static void test_functions_left_alone(void **state)
{
    static const char *const bodies[] = {
        "\tmovq\t(%rdi), %rbx\n\tcall\t_setjmp\n\tcall\tg\n",
        "\t.cfi_lsda 0x3,.LLSDA1\n\tmovq\t(%rdi), %rbx\n\tcall\tg\n",
        "#APP\n\tnop\n#NO_APP\n\tmovq\t(%rdi), %rbx\n\tcall\tg\n",
        "\tmovq\t(%rdi), %rbx\n\tcall\t__tls_get_addr@PLT\n",
        "\t.intel_syntax noprefix\n\tmovq\t(%rdi), %rbx\n\tcall\tg\n",
    };
    (void)state;
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++)
        assert_null(clear(bodies[i]));
}

// What the compiler makes of one function for known arguments is another function; the part that is seldom run is not.
static void test_parts(void **state)
{
    (void)state;
    char text[1024];
    size_t size;
    snprintf(text, sizeof text,
             "\t.type\tf.constprop.0, @function\nf.constprop.0:\n%s"
             "\tmovq\t%%rdi, -24(%%rbp)\n\tleaq\t-24(%%rbp), %%rdi\n\tcall\tkeep\n\tcall\tg\n%s",
             prologue, epilogue);
    free(cleared);
    cleared = remains_clear(text, strlen(text), &size);
    has_not("$0,-24(%rbp)");
    snprintf(text, sizeof text,
             "\t.type\tf, @function\nf:\n%s\tmovq\t(%%rdi), %%rbx\n\tjne\t.L2\n.L3:\n%s"
             "\t.type\tf.cold, @function\nf.cold:\n.L2:\n\tcall\tg\n\tmovq\t(%%rbx), %%rax\n\tcall\th\n\tjmp\t.L3\n",
             prologue, epilogue);
    free(cleared);
    cleared = remains_clear(text, strlen(text), &size);
    has("\n\tcall\tg\n");
    has("\tmovl $0,%ebx; call\th\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_registers, tear_down),
        cmocka_unit_test_teardown(test_words_of_the_frame, tear_down),
        cmocka_unit_test_teardown(test_addresses_for_hooks, tear_down),
        cmocka_unit_test_teardown(test_addresses_that_get_away, tear_down),
        cmocka_unit_test_teardown(test_functions_left_alone, tear_down),
        cmocka_unit_test_teardown(test_parts, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
