// Tests of Criterion that expect a signal or an exit status, or end early.
#include <criterion/abort.h>
#include <criterion/criterion.h>
#include <signal.h>
#include <stdlib.h>

#include "counting.h"

Test(edges, exits, .exit_code = 3)
{
    exit(3);
}

Test(edges, exits_otherwise, .exit_code = 3)
{
    exit(both(count_badly) == 2 ? 3 : 4);
}

Test(edges, aborts, .signal = SIGABRT)
{
    abort();
}

Test(edges, faults, .signal = SIGSEGV)
{
    *(volatile int *)0 = 1;
}

Test(edges, faults_at_times, .signal = SIGSEGV)
{
    if (both(count_badly) == 2)
        raise(SIGSEGV);
}

Test(edges, skipped)
{
    cr_skip_test("not on %s", "this machine");
    cr_assert(0);
}

Test(edges, skipped_at_times)
{
    int count = both(count_badly);
    if (count == 2)
        cr_skip_test("nothing is lost");
    cr_assert_eq(count, 2);
}

Test(edges, dies_at_times)
{
    if (both(count_badly) != 2)
        criterion_test_die("one is %s", "lost");
}
