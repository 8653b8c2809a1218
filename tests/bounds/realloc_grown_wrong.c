// expect: bug use-after-free
// The old pointer is used after the block has grown, and perhaps moved.
#include <stdlib.h>

int *numbers;

int main(void)
{
    numbers = malloc(4 * sizeof *numbers);
    numbers[3] = 7;
    int *old = numbers;
    numbers = realloc(numbers, 4000 * sizeof *numbers);
    int last = *(old + 3);
    free(numbers);
    return last == 1000;
}
