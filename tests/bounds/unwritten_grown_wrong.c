// expect: bug uninitialised options: --memory-errors
// A table is made larger, and the new part of it is taken for empty.
#include <stdio.h>
#include <stdlib.h>

int *table;

int main(void)
{
    table = malloc(4 * sizeof *table);
    for (int i = 0; i < 4; i++)
        table[i] = i;
    table = realloc(table, 8 * sizeof *table);
    for (int i = 0; i < 8; i++)
        if (table[i] != 0)
            puts("used");
    free(table);
    return 0;
}
