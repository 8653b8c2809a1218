// Patterns of names, and words for a shell.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/glob.h"
#include "report/quote.h"

static void a_star_stands_for_anything(void **unused)
{
    (void)unused;
    assert_true(glob_matches("*", ""));
    assert_true(glob_matches("*", "anything"));
    assert_true(glob_matches("a*c", "ac"));
    assert_true(glob_matches("a*c", "abcbc"));
    assert_true(glob_matches("*push*pop*", "first push, then pop"));
    assert_true(glob_matches("**a**", "a"));
    assert_false(glob_matches("a*c", "abcb"));
    assert_false(glob_matches("*aab", "aabaa"));
    assert_true(glob_matches("*aab", "aaab"));
}

static void everything_else_stands_for_itself(void **unused)
{
    (void)unused;
    assert_true(glob_matches("", ""));
    assert_true(glob_matches("slot[0].x?", "slot[0].x?"));
    assert_false(glob_matches("slot[0]", "slot0"));
    assert_false(glob_matches("a?c", "abc"));
    assert_false(glob_matches("abc", "ab"));
    assert_false(glob_matches("ab", "abc"));
    assert_false(glob_matches("", "a"));
}

static void quoted(const char *name, const char *expected)
{
    struct buffer out = {0};
    quote_file(&out, name);
    assert_string_equal(buffer_text(&out), expected);
    buffer_free(&out);
}

static void names_are_quoted_only_if_needed(void **unused)
{
    (void)unused;
    quoted("plain-1.race.hd", "plain-1.race.hd");
    quoted("a b", "'a b'");
    quoted("it's", "'it'\\''s'");
    quoted("$(x)`y`", "'$(x)`y`'");
    quoted("-x", "./-x");
    quoted("-x y", "./'-x y'");
    quoted("", "''");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_star_stands_for_anything),
        cmocka_unit_test(everything_else_stands_for_itself),
        cmocka_unit_test(names_are_quoted_only_if_needed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
