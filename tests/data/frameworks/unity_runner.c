// What unity_suite.c needs of Unity.
#include <setjmp.h>
#include <stdio.h>

jmp_buf unity_end;
static int failures;

void UnityDefaultTestRun(void (*test)(void), const char *name, int line);
int UnityEnd(void);

void UnityDefaultTestRun(void (*test)(void), const char *name, int line)
{
    int failed = setjmp(unity_end);
    if (!failed)
        test();
    printf("%s:%d:%s\n", name, line, failed ? "FAIL" : "PASS");
    failures += failed;
}

int UnityEnd(void)
{
    return failures;
}
