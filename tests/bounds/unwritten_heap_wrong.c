// expect: bug uninitialised options: --memory-errors
// A branch on a byte of a new block that nobody wrote.
#include <stdio.h>
#include <stdlib.h>

char *flags;

int main(void)
{
    flags = malloc(16);
    for (int i = 0; i < 15; i++)
        flags[i] = 0;
    if (flags[15])
        puts("set");
    free(flags);
    return 0;
}
