// expect: verified
// Whoever grows a block goes on with the new one.
#include <stdlib.h>

int *numbers;

int main(void)
{
    numbers = malloc(4 * sizeof *numbers);
    numbers[3] = 7;
    numbers = realloc(numbers, 4000 * sizeof *numbers);
    int last = numbers[3];
    free(numbers);
    return last == 1000;
}
