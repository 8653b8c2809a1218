// Tests that are run by a function of Unity's name, and end as with Unity: unity_runner.c stands for unity.c.
#include <setjmp.h>

#include "counting.h"

extern jmp_buf unity_end;
void UnityDefaultTestRun(void (*test)(void), const char *name, int line);
int UnityEnd(void);

#define RUN_TEST(test) UnityDefaultTestRun(test, #test, __LINE__)

static void test_safe(void)
{
    if (both(count_safely) != 2)
        longjmp(unity_end, 1);
}

static void test_bad(void)
{
    if (both(count_badly) != 2)
        longjmp(unity_end, 1);
}

int main(void)
{
    RUN_TEST(test_safe);
    RUN_TEST(test_bad);
    return UnityEnd();
}
