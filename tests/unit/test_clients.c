// Clients that are invented: each once, within the bounds and beyond them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lin/growth.h"

enum { MOST = 20000 };

static struct client_object *object;

static int set_up(void **state)
{
    (void)state;
    object = calloc(1, sizeof *object);
    assert_non_null(object);
    object->operations = 2;
    strcpy(object->operation[0].name, "put");
    object->operation[0].arguments = 2;
    object->operation[0].takes[0] = (struct client_argument){.kind = ARGUMENT_ANY_OF, .least = 1, .most = 2};
    object->operation[0].takes[1] = (struct client_argument){.kind = ARGUMENT_FRESH};
    strcpy(object->operation[1].name, "get");
    object->operation[1].arguments = 1;
    object->operation[1].takes[0] = (struct client_argument){.kind = ARGUMENT_ANY_OF, .least = 1, .most = 2};
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    free(object);
    return 0;
}

struct names {
    char (*text)[160];
    size_t count;
};

static int by_text(const void *a, const void *b)
{
    return strcmp(a, b);
}

static void add(struct names *names, const struct client *client)
{
    assert_true(names->count < MOST);
    client_show(client, object, names->text[names->count++], sizeof *names->text);
}

// In order; fails if one is there twice.
static void sort(struct names *names)
{
    qsort(names->text, names->count, sizeof *names->text, by_text);
    for (size_t i = 1; i < names->count; i++)
        assert_string_not_equal(names->text[i - 1], names->text[i]);
}

static struct names of_size(const struct client_size *size)
{
    struct inventor c;
    struct client client;
    struct names names = {calloc(MOST, sizeof *names.text), 0};
    assert_null(inventor_begin_size(&c, object, size, NULL));
    while (inventor_next_of_size(&c, &client))
        add(&names, &client);
    assert_false(c.over);
    inventor_end(&c);
    sort(&names);
    return names;
}

static struct names in_order(const struct client_bounds *bounds, uint32_t total)
{
    struct inventor c;
    struct client client;
    struct names names = {calloc(MOST, sizeof *names.text), 0};
    assert_null(inventor_begin(&c, object, bounds, NULL));
    while (inventor_next(&c, &client))
        if (client.calls == total && client.threads == bounds->threads)
            add(&names, &client);
    inventor_end(&c);
    sort(&names);
    return names;
}

static void scattered_clients_are_all_there_are(void **state)
{
    (void)state;
    for (uint32_t threads = 2; threads <= 3; threads++) {
        for (uint32_t calls = threads; calls <= 4; calls++) {
            struct client_bounds bounds = {.threads = threads, .calls = calls, .total = calls};
            struct names all = in_order(&bounds, calls);
            struct names same = of_size(&(struct client_size){.threads = threads, .calls = calls});
            assert_int_equal(all.count, same.count);
            for (size_t i = 0; i < all.count; i++)
                assert_string_equal(all.text[i], same.text[i]);
            free(all.text);
            free(same.text);
        }
    }
}

// Of the values of `put` and `get` only which are equal matters: [get(2)] get(2) | get(1) is [get(1)] get(1) | get(2).
static void calls_before_count_for_what_is_alike(void **state)
{
    (void)state;
    struct names names = of_size(&(struct client_size){.before = 1, .threads = 2, .calls = 2});
    // 4 calls to choose from, thrice; threads can change places, and values their names.
    assert_int_equal(names.count, 20);
    for (size_t i = 0; i < names.count; i++)
        assert_non_null(strstr(names.text[i], "(1"));
    free(names.text);
}

static void growth_leaves_out_what_lies_within(void **state)
{
    (void)state;
    struct client_bounds bounds = {.threads = 3, .calls = 2, .total = 4};
    struct growth g;
    static struct client client[64];
    growth_begin(&g, object, &bounds, NULL);
    for (uint32_t round = 0; round < 40; round++) {
        uint32_t n = growth_next(&g, GROWTH_THREADS, client, 64);
        assert_true(n > 0);
        for (uint32_t i = 0; i < n; i++)
            assert_false(client_is_within(&client[i], &bounds));
    }
    assert_int_equal(g.row[GROWTH_THREADS].size[0].size.calls, 4); // three beside one
    assert_true(growth_next(&g, GROWTH_BEFORE, client, 64) > 0);
    assert_int_equal(client[0].call[0].thread, CLIENT_BEFORE);
    growth_end(&g);
}

static void fresh_values_stay_distinct(void **state)
{
    (void)state;
    struct client client, smaller;
    char why[200], text[200];
    assert_null(client_parse(&client, object, "put(1, 1) put(1, 3) | get(1)", why, sizeof why));
    for (uint32_t nth = 0; client_smaller(&client, object, nth, &smaller); nth++) {
        client_show(&smaller, object, text, sizeof text);
        assert_null(strstr(text, "put(1, 1) put(1, 1)"));
    }
    assert_non_null(client_parse(&client, object, "put(1, 1) | put(1, 1)", why, sizeof why));
    assert_non_null(client_parse(&client, object, "get(3)", why, sizeof why));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(scattered_clients_are_all_there_are, set_up, tear_down),
        cmocka_unit_test_setup_teardown(calls_before_count_for_what_is_alike, set_up, tear_down),
        cmocka_unit_test_setup_teardown(growth_leaves_out_what_lies_within, set_up, tear_down),
        cmocka_unit_test_setup_teardown(fresh_values_stay_distinct, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
