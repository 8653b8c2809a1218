// expect: bug use-after-free
// The old pointer is used after another block may have got the place.
#include <stdlib.h>

int *first, *second;

int main(void)
{
    first = calloc(1, 24);
    int *old = first;
    free(first);
    second = calloc(1, 24);
    *second = 5;
    int value = *old;
    free(second);
    return value == 1000;
}
