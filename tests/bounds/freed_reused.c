// expect: verified
// The place of a freed block is another block's; nobody has the old pointer.
#include <stdlib.h>

int *first, *second;

int main(void)
{
    first = calloc(1, 24);
    int *old = first;
    free(first);
    second = calloc(1, 24);
    *second = 5;
    old = second;
    int value = *old;
    free(second);
    return value == 1000;
}
