// Tests of Criterion that expect a signal or an exit status.
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
