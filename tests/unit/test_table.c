// The hash table of the command, held against a list that is searched from its beginning.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/table.h"

static void an_empty_table_has_nothing(void **unused)
{
    (void)unused;
    struct table t = {0};
    assert_int_equal(table_find(&t, "a", 1), TABLE_NONE);
    assert_int_equal(table_find(&t, NULL, 0), TABLE_NONE);
    assert_int_equal(table_find_text(&t, ""), TABLE_NONE);
    table_free(&t);
}

static void numbers_come_in_the_order_of_arrival(void **unused)
{
    (void)unused;
    struct table t = {0};
    bool added = false;
    size_t size;
    assert_int_equal(table_add_text(&t, "one", &added), 0);
    assert_true(added);
    assert_int_equal(table_add_text(&t, "", &added), 1);
    assert_true(added);
    assert_int_equal(table_add_text(&t, "one", &added), 0);
    assert_false(added);
    assert_int_equal(table_add(&t, "one\0", 4, NULL), 2); // longer by a null character
    assert_int_equal(table_add(&t, NULL, 0, &added), 1);
    assert_false(added);
    assert_int_equal(table_find_text(&t, "on"), TABLE_NONE);
    assert_int_equal(t.count, 3);
    assert_string_equal(table_text(&t, 0), "one");
    assert_memory_equal(table_key(&t, 2, &size), "one\0", 5);
    assert_int_equal(size, 4);
    table_free(&t);
    assert_int_equal(t.count, 0);
    assert_int_equal(table_find_text(&t, "one"), TABLE_NONE);
}

static void keys_stay_where_they_are(void **unused)
{
    (void)unused;
    static char large[200000];
    struct table t = {0};
    table_add_text(&t, "first", NULL);
    const char *first = table_text(&t, 0);
    memset(large, 'x', sizeof large);
    uint32_t number = table_add(&t, large, sizeof large, NULL); // larger than a block
    for (uint64_t i = 0; i < 100000; i++)
        table_add(&t, &i, sizeof i, NULL);
    assert_ptr_equal(table_text(&t, 0), first);
    assert_string_equal(first, "first");
    assert_memory_equal(table_key(&t, number, NULL), large, sizeof large);
    for (uint64_t i = 0; i < 100000; i++) {
        assert_int_equal(table_find(&t, &i, sizeof i), i + 2);
        assert_int_equal((uintptr_t)table_key(&t, (uint32_t)i + 2, NULL) % 8, 0); // aligned for words
    }
    table_free(&t);
}

static uint64_t next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

static void a_table_is_a_list_without_repetitions(void **unused)
{
    (void)unused;
    enum { KEYS = 300, MOST = 12 };
    for (uint64_t seed = 1; seed <= 200; seed++) {
        struct table t = {0};
        uint64_t state = seed;
        static struct {
            unsigned char bytes[MOST];
            size_t size;
        } list[KEYS];
        uint32_t count = 0;
        for (int i = 0; i < KEYS; i++) {
            unsigned char key[MOST];
            size_t size = next_random(&state) % (MOST + 1);
            for (size_t k = 0; k < size; k++) // few values, so that keys come again
                key[k] = next_random(&state) % 2;
            uint32_t known = 0;
            while (known < count && (list[known].size != size || memcmp(list[known].bytes, key, size) != 0))
                known++;
            assert_int_equal(table_find(&t, key, size), known < count ? known : TABLE_NONE);
            bool look_only = next_random(&state) % 4 == 0, added;
            if (look_only)
                continue;
            assert_int_equal(table_add(&t, key, size, &added), known);
            assert_int_equal(added, known == count);
            if (added) {
                memcpy(list[count].bytes, key, size);
                list[count++].size = size;
            }
            assert_int_equal(t.count, count);
        }
        table_free(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_table_has_nothing),
        cmocka_unit_test(numbers_come_in_the_order_of_arrival),
        cmocka_unit_test(keys_stay_where_they_are),
        cmocka_unit_test(a_table_is_a_list_without_repetitions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
