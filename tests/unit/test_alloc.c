// Memory of the command: what is promised of it, and how the command ends without.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/strings.h"

static void nothing_is_something(void **unused)
{
    (void)unused;
    void *array = alloc_array(0, 8), *zeroed = alloc_zeroed(0, 8);
    assert_non_null(array);
    assert_non_null(zeroed);
    assert_non_null(array = alloc_resize(array, 0, 8));
    free(array);
    free(zeroed);
}

static void what_grows_keeps_what_it_had_and_adds_zeroes(void **unused)
{
    (void)unused;
    uint32_t *numbers = NULL;
    size_t room = 0;
    for (uint32_t i = 0; i < 1000; i++) {
        numbers = alloc_grow(numbers, i, &room, sizeof *numbers);
        assert_true(i < room);
        assert_int_equal(numbers[i], 0);
        numbers[i] = i + 1;
    }
    for (uint32_t i = 0; i < 1000; i++)
        assert_int_equal(numbers[i], i + 1);
    free(numbers);
}

static void room_is_for_what_was_asked_and_does_not_shrink(void **unused)
{
    (void)unused;
    size_t room = 0;
    char *text = alloc_reserve(NULL, 10, &room, 1);
    assert_true(room >= 10);
    memset(text, 'x', room);
    size_t before = room;
    assert_ptr_equal(alloc_reserve(text, before, &room, 1), text);
    assert_int_equal(room, before);
    text = alloc_reserve(text, before + 1, &room, 1);
    assert_true(room > before);
    assert_int_equal(text[before - 1], 'x');
    free(text);
}

static void copies_and_formats_are_new_text(void **unused)
{
    (void)unused;
    char *whole = alloc_copy("whole"), *part = alloc_copy_part("whole", 2), *more = alloc_copy_part("whole", 20);
    char *text = alloc_format("%s and %d", part, 7);
    assert_string_equal(whole, "whole");
    assert_string_equal(part, "wh");
    assert_string_equal(more, "whole");
    assert_string_equal(text, "wh and 7");
    free(whole);
    free(part);
    free(more);
    free(text);
}

// With the compiler's checks, an allocation that is too large ends the process otherwise.
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1";
}

// The status of a child that does it, and what it said.
static int ends_with(void (*act)(void), char *said, size_t room)
{
    int ends[2], status;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (!child) {
        dup2(ends[1], STDERR_FILENO);
        act();
        _exit(0);
    }
    close(ends[1]);
    size_t length = 0;
    for (ssize_t n; (n = read(ends[0], said + length, room - 1 - length)) > 0;)
        length += (size_t)n;
    said[length] = 0;
    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

#define TOO_MUCH (SIZE_MAX / 4)

// Volatile, or the compiler would see that it cannot be.
static volatile size_t too_much = TOO_MUCH;

static void take_array(void)
{
    alloc_array(too_much, 3);
}

static void take_zeroed(void)
{
    alloc_zeroed(too_much, 3);
}

static void take_more_than_can_be_counted(void)
{
    alloc_resize(NULL, too_much, 8);
}

static void take_room(void)
{
    size_t room = 0;
    alloc_reserve(NULL, too_much, &room, 1);
}

static void grow(void)
{
    size_t room = too_much;
    alloc_grow(NULL, room, &room, 16);
}

static void take_null(void)
{
    alloc_checked(NULL);
}

static void without_memory_the_command_ends_with_one_sentence(void **unused)
{
    (void)unused;
    static void (*const acts[])(void) = {take_array, take_zeroed, take_more_than_can_be_counted,
                                         take_room,  grow,        take_null};
    for (size_t i = 0; i < sizeof acts / sizeof *acts; i++) {
        char said[4000];
        assert_int_equal(ends_with(acts[i], said, sizeof said), FAIL_INCOMPLETE);
        const char *sentence = strstr(said, "heddle: ");
        assert_non_null(sentence);
        assert_string_equal(sentence, "heddle: out of memory.\n");
    }
}

static void a_list_of_strings_ends_with_null(void **unused)
{
    (void)unused;
    struct strings list = {0};
    char text[] = "first";
    const char *first = strings_add(&list, text);
    text[0] = 'F';
    strings_add_part(&list, "second", 3);
    strings_add_format(&list, "%d%s", 3, "rd");
    assert_int_equal(list.count, 3);
    assert_ptr_equal(list.item[0], first);
    assert_string_equal(list.item[0], "first");
    assert_string_equal(list.item[1], "sec");
    assert_string_equal(list.item[2], "3rd");
    assert_null(list.item[3]);
    strings_free(&list);
    assert_null(list.item);
    assert_int_equal(list.count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_something),
        cmocka_unit_test(what_grows_keeps_what_it_had_and_adds_zeroes),
        cmocka_unit_test(room_is_for_what_was_asked_and_does_not_shrink),
        cmocka_unit_test(copies_and_formats_are_new_text),
        cmocka_unit_test(without_memory_the_command_ends_with_one_sentence),
        cmocka_unit_test(a_list_of_strings_ends_with_null),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
