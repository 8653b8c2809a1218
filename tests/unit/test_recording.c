// Recorded runs in memory: variables that overlap, accesses of wide ranges, and the text form.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "trace/recording_text.h"

static struct recording *read_recording(const char *text, char **wrong)
{
    FILE *file = fmemopen((void *)text, strlen(text), "r");
    struct recording *r = recording_read_text(file, "run", wrong);
    fclose(file);
    return r;
}

static struct recording *good_recording(const char *text)
{
    char *wrong = NULL;
    struct recording *r = read_recording(text, &wrong);
    if (!r)
        fail_msg("%s", wrong);
    return r;
}

static void test_each_thread_has_its_records(void **state)
{
    (void)state;
    struct recording *r = good_recording("program ./app one two\n"
                                         "main create A @app.c:3:main # the first\n"
                                         "A lock m\n\nmain write x\nA wait c m\nA woken c m fail\nmain join A\n");
    assert_string_equal(r->program, "./app");
    assert_string_equal(r->arguments[1], "two");
    assert_int_equal(r->thread_count, 2);
    assert_int_equal(r->threads[1].parent, 0);
    assert_int_equal(r->threads[1].count, 3);
    const struct record *woken = &r->records[r->threads[1].records[2]];
    assert_int_equal(woken->kind, RECORD_WAIT_END);
    assert_int_equal(woken->flags, RECORD_FAILED);
    assert_int_equal(woken->other, r->records[r->threads[1].records[0]].object);
    assert_string_equal(r->places[r->records[0].place].function, "main");
    recording_free(r);
}

static void test_overlapping_variables_are_one(void **state)
{
    (void)state;
    struct recording *r = good_recording("A write s+0:8\nA read s+4:4\nA read s+8:4\nB read t+4:4\n");
    assert_int_equal(r->records[0].object, r->records[1].object);
    assert_int_not_equal(r->records[0].object, r->records[2].object);
    assert_int_not_equal(r->records[1].object, r->records[3].object);
    recording_free(r);
}

static uint64_t offset_of(const struct recording *r, uint32_t record)
{
    return r->variables[r->records[record].object].offset;
}

static void test_a_wide_access_is_one_to_each_variable_in_it(void **state)
{
    (void)state;
    struct recording *r = good_recording("A write s+8:4\nB read s+0:64\nA write s+32:8\nA write s+64:4\n");
    static const uint64_t offsets[] = {8, 0, 8, 12, 32, 40, 32, 64}; // 0, 12 and 40 are gaps
    assert_int_equal(r->count, sizeof offsets / sizeof *offsets);
    for (uint32_t i = 0; i < r->count; i++)
        assert_int_equal(offset_of(r, i), offsets[i]);
    assert_int_equal(r->records[1].kind, RECORD_READ);
    assert_int_equal(r->records[2].object, r->records[0].object);
    assert_int_equal(r->records[4].object, r->records[6].object);
    recording_free(r);
}

static void test_wide_accesses_share_what_both_cover(void **state)
{
    (void)state;
    struct recording *r = good_recording("B read u+0:64\nA write u+32:64\n");
    assert_int_equal(r->count, 4);
    assert_int_equal(r->records[1].object, r->records[2].object);
    assert_int_not_equal(r->records[0].object, r->records[3].object);
    recording_free(r);
    r = good_recording("main write u+0:64\nA write u+0:32\nB write u+32:32\n");
    assert_int_equal(r->count, 4);
    assert_int_not_equal(r->records[2].object, r->records[3].object);
    recording_free(r);
}

static void test_padding_is_no_variable(void **state)
{
    (void)state;
    struct recording *r = good_recording("A write s+0:4\nA write s+8:8\nA write s+16:8\nB read s+0:24\n");
    assert_int_equal(r->count, 6);
    recording_free(r);
}

static void test_memory_that_was_given_back_is_another_variable(void **state)
{
    (void)state;
    struct recording *r = good_recording("A allocate p 8\nA write p\nA release p\nA allocate p 8\nA write p\n");
    assert_int_not_equal(r->records[1].object, r->records[4].object);
    recording_free(r);
}

static void test_what_is_wrong_is_said(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "A\n",          "A frob x\n",   "A lock\n",         "A wait c\n",    "A read x+:4\n",
        "A join B\n",   "A read x y\n", "A region place\n", "A lock m x\n",  "A create A\n",
        "A read x:0\n", "A end x\n",    "A read x @f:x\n",  "semaphore s\n", "A allocate p x\n"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char *wrong = NULL;
        assert_null(read_recording(bad[i], &wrong));
        assert_non_null(wrong);
        assert_int_equal(strncmp(wrong, "run:1: ", 7), 0);
        free(wrong);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_thread_has_its_records),
        cmocka_unit_test(test_overlapping_variables_are_one),
        cmocka_unit_test(test_a_wide_access_is_one_to_each_variable_in_it),
        cmocka_unit_test(test_wide_accesses_share_what_both_cover),
        cmocka_unit_test(test_padding_is_no_variable),
        cmocka_unit_test(test_memory_that_was_given_back_is_another_variable),
        cmocka_unit_test(test_what_is_wrong_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
