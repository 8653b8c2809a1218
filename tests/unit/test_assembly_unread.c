// Which bytes of variables are found to be read by nothing in a compiler's output.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "build/assembly/assembly_unread.h"

static char *found;

// A function with this body, and static variables `count` of eight bytes and `other` of four, with `more` behind them.
static void look_with(const char *body, const char *more)
{
    char text[4096];
    size_t size;
    snprintf(text, sizeof text,
             "\t.text\n\t.type\tf, @function\nf:\n%s\tret\n\t.size\tf, .-f\n\t.type\tg, @function\ng:\n\tret\n"
             "\t.local\tcount\n\t.comm\tcount,8,8\n\t.local\tother\n\t.comm\tother,4,4\n%s",
             body, more);
    free(found);
    found = unread_append(text, strlen(text), &size);
    if (found)
        assert_int_equal(strlen(found), size);
}

static void look(const char *body)
{
    look_with(body, "");
}

static int tear_down(void **state)
{
    (void)state;
    free(found);
    found = NULL;
    return 0;
}

static void is_unread(const char *bytes)
{
    assert_non_null(found);
    if (!strstr(found, bytes))
        fail_msg("%s is not in\n%s", bytes, found);
}

static void what_is_updated_is_unread(void **state)
{
    (void)state;
    look("\taddl\t$1, count(%rip)\n");
    is_unread("\t.long count+0-., 4\n");
    look("\tincw\t4+count(%rip)\n");
    is_unread("\t.long count+4-., 2\n");
    look("\tmovl\tcount(%rip), %ecx\n\tleal\t1(%rcx,%rcx), %ecx\n\tmovl\t%ecx, count(%rip)\n");
    is_unread("\t.long count+0-., 4\n");
    look("\tmovq\t%rsi, count(%rip)\n\tmovl\t%edi, other(%rip)\n");
    is_unread("\t.long count+0-., 8\n");
    is_unread("\t.long other+0-., 4\n");
    look("\taddl\t$1, count(%rip)\n\tcmpl\t$3, 4+count(%rip)\n\tjl\t.L2\n\tnop\n.L2:\n");
    is_unread("\t.long count+0-., 4\n");
    look("\tmovl\tcount(%rip), %ecx\n\taddl\t$1, %ecx\n\tmovl\t%ecx, count(%rip)\n\tcall\tmalloc@PLT\n\tmovl\t%ecx, "
         "%eax\n");
    assert_null(found); // rcx may be an argument
    look("\tmovl\tcount(%rip), %ebx\n\taddl\t$1, %ebx\n\tcall\tmalloc@PLT\n\tmovl\t%ebx, count(%rip)\n\tpopq\t%rbx\n");
    is_unread("\t.long count+0-., 4\n");
}

static void arrays_that_are_updated_are_unread(void **state)
{
    (void)state;
    look("\tleaq\tcount(%rip), %rcx\n\taddl\t$1, (%rcx,%rdi,4)\n");
    is_unread("\t.long count+0-., 8\n");
    look("\tleaq\tcount(%rip), %rbx\n\tleaq\t0(%rbx,%rdi,4), %rdi\n\tcall\t__asan_load4_noabort@PLT\n"
         "\tmovl\t(%rbx), %ecx\n\tleal\t(%rcx,%rcx), %ecx\n\tmovl\t%ecx, (%rbx)\n\tpopq\t%rbx\n");
    is_unread("\t.long count+0-., 8\n");
    look("\tleaq\tcount(%rip), %rcx\n\tleaq\t8(%rcx), %rdx\n.L3:\n\tmovb\t$0, (%rcx)\n\taddq\t$1, %rcx\n"
         "\tcmpq\t%rdx, %rcx\n\tjne\t.L3\n\txorl\t%edx, %edx\n");
    is_unread("\t.long count+0-., 8\n");
}

static void what_decides_something_is_read(void **state)
{
    static const char *const bodies[] = {
        "\taddl\t$1, count(%rip)\n\tjne\t.L2\n\tnop\n.L2:\n",
        "\tsubl\t$1, count(%rip)\n\tsete\t%cl\n",
        "\tmovl\tcount(%rip), %eax\n\taddl\t$1, %eax\n\tmovl\t%eax, count(%rip)\n", // the result, perhaps
        "\tmovl\tcount(%rip), %ecx\n\tmovl\t%ecx, other(%rip)\n\tmovl\t%ecx, count(%rip)\n\tcmpl\t$1, other(%rip)\n",
        "\tmovl\tcount(%rip), %ecx\n\tmovl\t%ecx, 4+count(%rip)\n\tmovl\t$1, count(%rip)\n\tcmpl\t$1, 4+count(%rip)\n",
        "\tmovl\tcount(%rip), %ecx\n\tmovl\t(%rdi,%rcx,4), %edx\n\tmovl\t%ecx, count(%rip)\n",
        "\tmovl\tcount(%rip), %ecx\n\tmovl\t%ecx, 8(%rsp)\n\tmovl\t%ecx, count(%rip)\n",
        "\tmovl\tcount(%rip), %ecx\n\tpushq\t%rcx\n\tmovl\t%ecx, count(%rip)\n",
        "\tmovl\tcount(%rip), %ecx\n\tmovl\t%ecx, count(%rip)\n\tjmp\tg\n",
        "\tmovl\tcount(%rip), %ecx\n\tmovl\t%ecx, count(%rip)\n\tjmp\t*%rdx\n",
        "\tmovl\tcount(%rip), %r11d\n\tcall\tg\n\tmovl\t%r11d, %eax\n\tmovl\t$1, count(%rip)\n", // -fipa-ra
        "\tmovq\tcount(%rip), %rcx\n\tmovq\t%rcx, count(%rip)\n\tcmpb\t$0, 7+count(%rip)\n",
        "\tleaq\tcount(%rip), %rcx\n\taddl\t$1, (%rcx)\n\tcmpl\t$1, count(%rip)\n",
        "\tleaq\tcount(%rip), %rcx\n\taddl\t$1, (%rcx)\n\tje\t.L2\n\tnop\n.L2:\n",
        "\tleaq\tcount(%rip), %rcx\n\tcmpl\t$1, (%rcx)\n\tmovl\t$1, (%rcx)\n",
        "\tleaq\tcount(%rip), %rdi\n\taddl\t$1, (%rdi)\n\tcall\tg\n",
        "\tleaq\tcount(%rip), %rdi\n\taddl\t$1, (%rdi)\n\tcall\tmalloc@PLT\n",
        "\tleaq\tcount(%rip), %rax\n\taddl\t$1, (%rax)\n",
        "\tleaq\tcount(%rip), %rcx\n\taddl\t$1, (%rcx)\n\tmovq\t%rcx, 8(%rsp)\n",
        "\tleaq\tcount(%rip), %rcx\n\taddl\t$1, (%rcx)\n\tmovq\t%rcx, (%rdi)\n",
        "\tleaq\tcount(%rip), %rcx\n\tmovl\t(%rcx), %edx\n\tmovl\t%edx, (%rcx)\n\tmovl\t%edx, (%rdi)\n",
        "\tleaq\tcount(%rip), %rcx\n\tmovl\t(%rcx), %edx\n\tmovl\t(%rcx,%rdx), %esi\n\tmovl\t%edx, (%rcx)\n",
        "\tleaq\tcount(%rip), %rcx\n\tmovl\t(%rcx), %edx\n\tmovl\t%edx, other(%rip)\n\tcmpl\t$1, other(%rip)\n",
        "\tleaq\tcount(%rip), %r11\n\tcall\tg\n\tmovl\t(%r11), %eax\n\tmovl\t$1, (%r11)\n",
        "\tleaq\tcount(%rip), %rsi\n\trep movsb\n\taddl\t$1, count(%rip)\n",
        "\tleaq\tcount(%rip), %rcx\n\taddl\t$1, (%rcx)\n\tjmp\tg\n",
        "\tleal\tcount(%rip), %ecx\n\taddl\t$1, (%rcx)\n",
        "\tlock addl\t$1, count(%rip)\n",
        "\txaddl\t%eax, count(%rip)\n",
        "\tcmovel\tcount(%rip), %ecx\n\taddl\t$1, count(%rip)\n",
        "\taddl\t$1, count(,%rax,4)\n",
        "\taddl\t$1, count@GOTPCREL(%rip)\n",
        "\tfldl\tcount(%rip)\n\tmovl\t$1, count(%rip)\n",
        "\taddl\t$1, 6+count(%rip)\n", // beyond its end
        "#APP\n\taddl\t$1, count(%rip)\n#NO_APP\n",
        "\taddl\t$1, count(%rip); jne .L2\n.L2:\n",
        "\tmovl\tcount(%rip), %ecx\n\tmovl\t%ecx, count(%rip)\n#APP\n\tnop\n#NO_APP\n",
        "\tmovl\tcount(%rip), %ecx\n\tfrobnicate\t%edx\n\tmovl\t%ecx, count(%rip)\n",
    };
    (void)state;
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        look(bodies[i]);
        if (found && strstr(found, ".long count"))
            fail_msg("it is not seen that this reads:\n%s", bodies[i]);
    }
}

static void what_others_know_is_read(void **state)
{
    static const char *const declarations[] = {
        "\t.globl\tcount\n",
        "\t.weak\tcount\n",
        "\t.set\tname, count\n",
        "name = count\n",
        "\t.data\n\t.quad\tcount\n",
        "\t.section\town,\"aw\"\n\t.long\tcount+4-.\n",
        "\t.section\t.debug_info\n\t.set\tname, count\n",
        "\t.section\t.gcc_except_table,\"a\"\n",
        "\t.intel_syntax noprefix\n",
    };
    (void)state;
    for (size_t i = 0; i < sizeof declarations / sizeof *declarations; i++) {
        look_with("\taddl\t$1, count(%rip)\n", declarations[i]);
        if (found)
            fail_msg("it is not seen that others may read:\n%s", declarations[i]);
    }
    look_with("\taddl\t$1, count(%rip)\n",
              "\t.section\t.debug_info\n\t.quad\tcount\n\t.section\t.rodata\n\t.string \"count\"\n");
    is_unread("\t.long count+0-., 4\n");
    look_with("\taddl\t$1, mine(%rip)\n", "\t.data\n\t.type\tmine, @object\n\t.size\tmine, 4\nmine:\n\t.long\t7\n");
    is_unread("\t.long mine+0-., 4\n");
    look_with("\taddl\t$1, mine(%rip)\n",
              "\t.section\town,\"aw\"\n\t.type\tmine, @object\n\t.size\tmine, 4\nmine:\n\t.long\t7\n");
    assert_null(found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_updated_is_unread),
        cmocka_unit_test(arrays_that_are_updated_are_unread),
        cmocka_unit_test(what_decides_something_is_read),
        cmocka_unit_test(what_others_know_is_read),
    };
    return cmocka_run_group_tests(tests, NULL, tear_down);
}
