// A main that runs tests one after the other, in the way of minunit.
#include <heddle/heddle.h>
#include <stdio.h>

#include "counting.h"

#define mu_assert(text, condition)                                                                                     \
    do {                                                                                                               \
        if (!(condition))                                                                                              \
            return text;                                                                                               \
    } while (0)
#define mu_run_test(test)                                                                                              \
    do {                                                                                                               \
        const char *message = heddle_selects(#test) ? test() : NULL;                                                   \
        if (message)                                                                                                   \
            return message;                                                                                            \
    } while (0)

static const char *test_safe(void)
{
    mu_assert("both are counted", both(count_safely) == 2);
    return NULL;
}

static const char *test_bad(void)
{
    mu_assert("both are counted", both(count_badly) == 2);
    return NULL;
}

static const char *test_more(void)
{
    mu_assert("both are counted", both(count_safely) == 2);
    return NULL;
}

static const char *all_tests(void)
{
    mu_run_test(test_safe);
    mu_run_test(test_bad);
    mu_run_test(test_more);
    return NULL;
}

int main(void)
{
    const char *message = all_tests();
    puts(message ? message : "ok");
    return message != NULL;
}
