// expect: bug out-of-bounds
// A constructor that writes behind its block.
#include <stdlib.h>

char *table;

__attribute__((constructor)) static void prepare(void)
{
    table = malloc(5);
    for (int i = 0; i <= 5; i++)
        table[i] = 1;
}

int main(void)
{
    int first = table[0];
    free(table);
    return first != 1;
}
