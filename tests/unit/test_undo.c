// What is logged before it is overwritten comes back exactly, newest first, down to any mark.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/undo.h"

enum { BYTES = 4096, SLACK = 16, MARKS = 64, LOG_BYTES = 1 << 24 };

static struct undo undo;
static _Alignas(16) uint8_t memory[BYTES + SLACK];

static void scribble(uint8_t *at, size_t size)
{
    for (size_t i = 0; i < size; i++)
        at[i] = (uint8_t)rand();
}

// Logs some bytes and overwrites them, and now and then only some of them.
static void overwrite(size_t at, size_t size)
{
    undo_save(&undo, memory + at, size);
    scribble(memory + at, rand() % 4 ? size : size / 2);
}

static void overwrite_word(size_t at)
{
    undo_save_word(&undo, memory + at);
    scribble(memory + at, 8);
}

static size_t any_size(void)
{
    return (size_t)(rand() % 8 ? rand() % 40 : rand() % 1000);
}

static void overwrite_somewhere(void)
{
    size_t size = any_size();
    if (rand() % 3)
        overwrite((size_t)rand() % ((BYTES - size) / 8) * 8, size);
    else
        overwrite_word((size_t)rand() % (BYTES / 8) * 8);
}

static int set_up(void **state)
{
    (void)state;
    undo_init(&undo, LOG_BYTES);
    return 0;
}

static int set_out(void **state)
{
    (void)state;
    undo_to(&undo, 0);
    srand(1);
    scribble(memory, sizeof memory);
    return 0;
}

static void every_size_comes_back(void **state)
{
    (void)state;
    uint8_t before[sizeof memory];
    for (size_t size = 0; size < 200; size++) {
        memcpy(before, memory, sizeof memory);
        size_t mark = undo_mark(&undo);
        undo_save(&undo, memory + 8, size);
        scribble(memory + 8, size);
        undo_to(&undo, mark);
        assert_memory_equal(memory, before, sizeof memory);
    }
}

static void bytes_beyond_the_saved_ones_are_left_alone(void **state)
{
    (void)state;
    for (size_t size = 0; size < 64; size++) {
        undo_save(&undo, memory, size);
        scribble(memory, 128);
        uint8_t after[sizeof memory];
        memcpy(after, memory, sizeof memory);
        undo_to(&undo, 0);
        assert_memory_equal(memory + size, after + size, sizeof memory - size);
    }
}

static void the_oldest_contents_win(void **state)
{
    (void)state;
    uint64_t *word = (uint64_t *)memory;
    *word = 1;
    for (uint64_t i = 2; i < 5; i++) {
        undo_save_word(&undo, word);
        *word = i;
    }
    undo_to(&undo, 0);
    assert_int_equal(*word, 1);
}

static void a_mark_is_where_the_log_was(void **state)
{
    (void)state;
    assert_int_equal(undo_mark(&undo), 0);
    overwrite(0, 5);
    size_t mark = undo_mark(&undo);
    assert_true(mark > 0);
    overwrite(8, 100);
    assert_true(undo_mark(&undo) > mark);
    undo_to(&undo, mark);
    assert_int_equal(undo_mark(&undo), mark);
    undo_to(&undo, mark); // nothing left to do
    assert_int_equal(undo_mark(&undo), mark);
}

// A stack of marks with the memory as it was at each; random walks up and down.
static void nested_marks_restore_memory_exactly(void **state)
{
    (void)state;
    static uint8_t then[MARKS][sizeof memory];
    size_t marks[MARKS];
    int depth = 0;
    for (int round = 0; round < 3000; round++) {
        if (depth < MARKS && (!depth || rand() % 3)) {
            memcpy(then[depth], memory, sizeof memory);
            marks[depth++] = undo_mark(&undo);
            for (int writes = rand() % 20; writes > 0; writes--)
                overwrite_somewhere();
        } else {
            depth = rand() % depth;
            undo_to(&undo, marks[depth]);
            assert_int_equal(undo_mark(&undo), marks[depth]);
            assert_memory_equal(memory, then[depth], sizeof memory);
        }
    }
}

static void saving_changes_nothing(void **state)
{
    (void)state;
    uint8_t before[sizeof memory];
    memcpy(before, memory, sizeof memory);
    for (size_t size = 0; size < 100; size++)
        undo_save(&undo, memory + 8, size);
    undo_save_word(&undo, memory);
    assert_memory_equal(memory, before, sizeof memory);
    undo_to(&undo, 0);
    assert_memory_equal(memory, before, sizeof memory);
}

// As on a processor without AVX.
static void narrow_lanes_do_the_same(void **state)
{
    lanes_wide = false;
    every_size_comes_back(state);
    set_out(state);
    nested_marks_restore_memory_exactly(state);
    lanes_choose();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(every_size_comes_back, set_out),
        cmocka_unit_test_setup(bytes_beyond_the_saved_ones_are_left_alone, set_out),
        cmocka_unit_test_setup(the_oldest_contents_win, set_out),
        cmocka_unit_test_setup(a_mark_is_where_the_log_was, set_out),
        cmocka_unit_test_setup(nested_marks_restore_memory_exactly, set_out),
        cmocka_unit_test_setup(saving_changes_nothing, set_out),
        cmocka_unit_test_setup(narrow_lanes_do_the_same, set_out),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
