// Text that grows.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/buffer.h"

static void an_empty_buffer_has_a_text(void **unused)
{
    (void)unused;
    struct buffer b = {0};
    assert_string_equal(buffer_text(&b), "");
    buffer_append(&b, NULL, 0);
    assert_string_equal(buffer_text(&b), "");
    assert_int_equal(b.length, 0);
    buffer_free(&b);
}

static void what_is_added_comes_behind(void **unused)
{
    (void)unused;
    struct buffer b = {0};
    char wanted[20000] = "";
    for (int i = 0; i < 2000; i++) {
        buffer_add(&b, "%d,", i);
        snprintf(wanted + strlen(wanted), sizeof wanted - strlen(wanted), "%d,", i);
    }
    assert_string_equal(buffer_text(&b), wanted);
    assert_int_equal(b.length, strlen(wanted));
    buffer_append(&b, "a\0b", 3);
    assert_int_equal(b.length, strlen(wanted) + 3);
    assert_memory_equal(b.text + b.length - 3, "a\0b", 4);
    buffer_free(&b);
    assert_string_equal(buffer_text(&b), "");
}

static void a_cut_keeps_the_beginning(void **unused)
{
    (void)unused;
    struct buffer b = {0};
    buffer_add(&b, "%s", "abcdef");
    buffer_cut(&b, 9);
    assert_string_equal(buffer_text(&b), "abcdef");
    buffer_cut(&b, 2);
    assert_string_equal(buffer_text(&b), "ab");
    buffer_add(&b, "%c", 'c');
    assert_string_equal(buffer_text(&b), "abc");
    buffer_free(&b);
}

static FILE *file_with(const char *text, size_t length)
{
    FILE *file = tmpfile();
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, length, file), length);
    rewind(file);
    return file;
}

static void a_file_is_read_to_its_end(void **unused)
{
    (void)unused;
    static char long_text[300001];
    struct buffer b = {0};
    memset(long_text, 'x', sizeof long_text - 1);
    FILE *file = file_with(long_text, sizeof long_text - 1);
    buffer_add(&b, "before ");
    assert_true(buffer_add_file(&b, file));
    assert_int_equal(b.length, 7 + sizeof long_text - 1);
    assert_string_equal(b.text + 7, long_text);
    fclose(file);
    buffer_free(&b);
    file = file_with("", 0);
    assert_true(buffer_add_file(&b, file));
    assert_string_equal(b.text, "");
    fclose(file);
    buffer_free(&b);
}

static void a_directory_cannot_be_read(void **unused)
{
    (void)unused;
    struct buffer b = {0};
    FILE *file = fopen("/", "r");
    assert_non_null(file);
    assert_false(buffer_add_file(&b, file));
    fclose(file);
    buffer_free(&b);
}

static void lines_come_with_their_ends(void **unused)
{
    (void)unused;
    struct buffer b = {0};
    FILE *file = file_with("one\n\n\0two\nlast", 14);
    assert_true(buffer_read_line(&b, file));
    assert_string_equal(b.text, "one\n");
    assert_true(buffer_read_line(&b, file));
    assert_string_equal(b.text, "\n");
    assert_true(buffer_read_line(&b, file));
    assert_int_equal(b.length, 5);
    assert_memory_equal(b.text, "\0two\n", 6);
    assert_true(buffer_read_line(&b, file));
    assert_string_equal(b.text, "last");
    assert_false(buffer_read_line(&b, file));
    assert_int_equal(b.length, 0);
    fclose(file);
    buffer_free(&b);
}

static const char *made_safe(struct buffer *b, const char *text, bool lines)
{
    buffer_cut(b, 0);
    buffer_add_safe(b, text, strlen(text), lines);
    return buffer_text(b);
}

static void foreign_text_is_safe_to_print(void **unused)
{
    (void)unused;
    struct buffer b = {0};
    assert_string_equal(made_safe(&b, "grün €", false), "grün €");
    assert_string_equal(made_safe(&b, "a\033[31mb\tc\177", false), "a [31mb c ");
    assert_string_equal(made_safe(&b, "a\nb", false), "a b");
    assert_string_equal(made_safe(&b, "a\nb", true), "a\nb");
    assert_string_equal(made_safe(&b, "\xff\xc3|", false),
                        "??|"); // no beginning of a character, and one that does not go on
    assert_string_equal(made_safe(&b, "\xc2\x9b!", false), " !");     // a control character of two bytes
    assert_string_equal(made_safe(&b, "\xe0\x80\xaf", false), "???"); // a character written too long
    assert_string_equal(made_safe(&b, "\xed\xa0\x80", false), "???"); // half of a pair
    assert_string_equal(made_safe(&b, "\xf4\x90\x80\x80", false), "????");
    buffer_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_buffer_has_a_text),    cmocka_unit_test(what_is_added_comes_behind),
        cmocka_unit_test(a_cut_keeps_the_beginning),     cmocka_unit_test(a_file_is_read_to_its_end),
        cmocka_unit_test(a_directory_cannot_be_read),    cmocka_unit_test(lines_come_with_their_ends),
        cmocka_unit_test(foreign_text_is_safe_to_print),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
