// expect: verified options: --memory-errors
// A block is written before it decides anything.
#include <stdio.h>
#include <stdlib.h>

char *flags;

int main(void)
{
    flags = malloc(16);
    for (int i = 0; i < 16; i++)
        flags[i] = 0;
    if (flags[15])
        puts("set");
    free(flags);
    return 0;
}
