// Unity: RUN_TEST hands each test to a function of unity.c, which is compiled with the suite; only the wanted one is handed on.
// A failed assertion jumps out of the test and counts, and main ends with that count.
#include "frameworks/adaptor.h"

void __wrap_UnityDefaultTestRun(void (*test)(void), const char *name, int line);
void __real_UnityDefaultTestRun(void (*test)(void), const char *name, int line);

void __wrap_UnityDefaultTestRun(void (*test)(void), const char *name, int line)
{
    if (adaptor_lists())
        adaptor_list(name);
    else if (!adaptor_is_explored() || adaptor_wants(name))
        __real_UnityDefaultTestRun(test, name, line);
}
