// What stands in a line of a compiler's output.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "build/assembly/assembly_lines.h"

static void test_labels(void **state)
{
    (void)state;
    assert_int_equal(lines_label("main: ret"), 5);
    assert_int_equal(lines_label(".L_2$a:"), 7);
    assert_int_equal(lines_label("ret"), 0);
    assert_int_equal(lines_label(":"), 0);
    assert_int_equal(lines_label("a b:"), 0);
    assert_int_equal(lines_label("name@plt:"), 0);
    assert_int_equal(lines_label("std::name"), 0);
    assert_int_equal(lines_label(""), 0);
}

static void test_directives(void **state)
{
    (void)state;
    assert_true(lines_is_directive(".text", ".text"));
    assert_true(lines_is_directive(".section\t.data", ".section"));
    assert_true(lines_is_directive(".local a", ".local"));
    assert_false(lines_is_directive(".localize a", ".local"));
    assert_false(lines_is_directive(".loc 1 2", ".local"));
    assert_false(lines_is_directive("text", ".text"));
    assert_false(lines_is_directive("", ".text"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_labels), cmocka_unit_test(test_directives)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
