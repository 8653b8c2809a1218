// Lists of faults are read as they are written, and what makes no sense is refused.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include <errno.h>

#include "model/fault.h"

static void reads_what_it_writes(void **state)
{
    static const char *const lists[] = {"malloc:1", "malloc:2,create:1", "read=EINTR:3",
                                        "read=EIO:1,read=short:1,write:255", "connect:1,accept=EMFILE:2,datagram:3"};
    (void)state;
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        struct fault_budget budget[FAULT_FAMILIES] = {0};
        char text[FAULT_TEXT];
        assert_null(fault_read(lists[i], budget));
        assert_true(fault_any(budget));
        assert_true(fault_write(budget, text, sizeof text));
        assert_string_equal(text, lists[i]);
    }
}

static void refuses_what_makes_no_sense(void **state)
{
    static const char *const lists[] = {
        "",          ",",     "malloc,",     "mallo",        "malloc:",    "malloc:0",          "malloc:256",
        "malloc:1x", "read=", "read=ENOMEM", "malloc=short", "malloc:1:1", "malloc:99999999999"};
    (void)state;
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        struct fault_budget budget[FAULT_FAMILIES] = {0};
        assert_non_null(fault_read(lists[i], budget));
    }
}

static void outcomes_are_the_ways_that_are_wanted(void **state)
{
    struct fault_budget budget[FAULT_FAMILIES] = {0};
    (void)state;
    assert_null(fault_read("read=EINTR,read=short", budget));
    assert_int_equal(fault_way(FAULT_READ, budget[FAULT_READ].ways, 1), EINTR);
    assert_int_equal(fault_way(FAULT_READ, budget[FAULT_READ].ways, 2), FAULT_SHORT);
    assert_int_equal(fault_way(FAULT_READ, budget[FAULT_READ].ways, 3), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_what_it_writes),
        cmocka_unit_test(refuses_what_makes_no_sense),
        cmocka_unit_test(outcomes_are_the_ways_that_are_wanted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
