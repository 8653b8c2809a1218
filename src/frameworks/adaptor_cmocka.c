// cmocka: tests stand in an array, of which only the wanted one is handed on. CMOCKA_TEST_ABORT makes a failed assertion print and
// abort, where otherwise it jumps out of the test.
#include "frameworks/adaptor.h"

struct test { // CMUnitTest, since 1.0
    const char *name;
    void (*test)(void **), *setup, *teardown, *state;
};

typedef int fixture(void **state);

int __wrap__cmocka_run_group_tests(const char *group, const struct test *tests, size_t count, fixture *setup,
                                   fixture *teardown);
int __real__cmocka_run_group_tests(const char *group, const struct test *tests, size_t count, fixture *setup,
                                   fixture *teardown);

static int list_group(const struct test *tests, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (tests[i].name && tests[i].test)
            adaptor_list(tests[i].name);
    return 0;
}

int __wrap__cmocka_run_group_tests(const char *group, const struct test *tests, size_t count, fixture *setup,
                                   fixture *teardown)
{
    if (adaptor_lists())
        return list_group(tests, count);
    if (!adaptor_is_explored())
        return __real__cmocka_run_group_tests(group, tests, count, setup, teardown);
    setenv("CMOCKA_TEST_ABORT", "1", 1);
    struct test wanted[count ? count : 1];
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (tests[i].name && adaptor_wants(tests[i].name))
            wanted[kept++] = tests[i];
    return kept ? __real__cmocka_run_group_tests(group, wanted, kept, setup, teardown) : 0;
}
