// Where blocks of lines can begin and end in a source.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "repair/statements.h"

static const char source[] = "# 0 \"x.c\"\n"
                             "# 1 \"x.h\" 1\n"
                             "int from_header(void)\n"
                             "{ return 1; }\n"
                             "# 1 \"x.c\" 2\n"
                             "struct s { int a; };\n"         // 1
                             "\n"                             // 2
                             "static int\n"                   // 3
                             "f(int a)\n"                     // 4
                             "{\n"                            // 5
                             "    int b = (struct s){a}.a;\n" // 6
                             "    while (b < 10) {\n"         // 7
                             "        b++;\n"                 // 8
                             "        if (b == 5) {\n"        // 9
                             "            a = '}';\n"         // 10
                             "            break;\n"           // 11
                             "        }\n"                    // 12
                             "        a--;\n"                 // 13
                             "    }\n"                        // 14
                             "    do {\n"                     // 15
                             "        a = 1;\n"               // 16
                             "    } while (a < b);\n"         // 17
                             "    if (a)\n"                   // 18
                             "        return 1;\n"            // 19
                             "    else b = 2; a = 3;\n"       // 20
                             "    switch (a) {\n"             // 21
                             "    case 1:\n"                  // 22
                             "        b = 7;\n"               // 23
                             "        break;\n"               // 24
                             "    }\n"                        // 25
                             "    return b;\n"                // 26
                             "}\n"                            // 27
                             "\n"                             // 28
                             "void g(void)\n"                 // 29
                             "{\n"                            // 30
                             "    goto out;\n"                // 31
                             "out:\n"                         // 32
                             "    f(1);\n"                    // 33
                             "}\n";                           // 34

static struct c_tokens *s;

static int set_up(void **nothing)
{
    (void)nothing;
    s = c_tokens_read(source, "x.c", false);
    return 0;
}

static int tear_down(void **nothing)
{
    (void)nothing;
    c_tokens_free(s);
    return 0;
}

static void covers(uint32_t from, uint32_t to, uint32_t first, uint32_t last, bool leaves)
{
    struct statement_run run;
    assert_null(statements_cover(s, from, to, &run));
    assert_int_equal(run.from, first);
    assert_int_equal(run.to, last);
    assert_int_equal(run.leaves, leaves);
    assert_int_equal(run.function, 3);
}

static void runs_cover_lines(void **nothing)
{
    (void)nothing;
    covers(6, 6, 6, 6, false);
    covers(8, 8, 8, 8, false);
    covers(8, 13, 8, 13, true); // the break leaves them
    covers(10, 10, 10, 10, false);
    covers(10, 13, 9, 13, true);
    covers(7, 8, 7, 14, false); // a line of the loop's head: all of it, and the break stays inside
    covers(16, 17, 15, 17, false);
    covers(16, 16, 16, 16, false);
    covers(13, 16, 7, 17, false);
    covers(19, 19, 18, 20, true);  // no braces, and something else on its last line
    covers(23, 23, 21, 25, false); // not between labels
    covers(6, 26, 6, 26, true);
}

static void what_cannot_be_covered(void **nothing)
{
    (void)nothing;
    struct statement_run run;
    assert_non_null(statements_cover(s, 33, 33, &run));
    assert_non_null(statements_cover(s, 26, 33, &run));
    assert_non_null(statements_cover(s, 1, 1, &run));
}

static void bodies(void **nothing)
{
    (void)nothing;
    struct statement_run run;
    assert_null(statements_body(s, 16, &run));
    assert_int_equal(run.from, 6);
    assert_int_equal(run.to, 26);
    assert_true(run.leaves);
    assert_non_null(statements_body(s, 33, &run));
}

static void loops(void **nothing)
{
    (void)nothing;
    uint32_t from = 8, to = 10;
    assert_true(statements_widen_to_loop(s, &from, &to));
    assert_int_equal(from, 7);
    assert_int_equal(to, 14);
    from = 16, to = 17;
    assert_true(statements_widen_to_loop(s, &from, &to));
    assert_int_equal(from, 15);
    from = 6, to = 8;
    assert_false(statements_widen_to_loop(s, &from, &to));
    assert_true(statements_have_loop(s, 15, 17));
    assert_false(statements_have_loop(s, 16, 17));
    assert_false(statements_have_loop(s, 18, 25));
}

// The preprocessor leaves pragmas where they are, without a mark behind them.
static void pragmas_are_lines(void **nothing)
{
    (void)nothing;
    struct c_tokens *with = c_tokens_read("# 1 \"x.c\"\n"
                                          "void f(void)\n"
                                          "{\n"
                                          "#pragma GCC unroll 4\n"
                                          "    while (g())\n"
                                          "        h();\n"
                                          "}\n",
                                          "x.c", false);
    uint32_t from = 5, to = 5;
    assert_true(statements_widen_to_loop(with, &from, &to));
    assert_int_equal(from, 4);
    assert_int_equal(to, 5);
    c_tokens_free(with);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(runs_cover_lines, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_cannot_be_covered, set_up, tear_down),
        cmocka_unit_test_setup_teardown(bodies, set_up, tear_down),
        cmocka_unit_test_setup_teardown(loops, set_up, tear_down),
        cmocka_unit_test(pragmas_are_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
