// expect: verified
// A loop over the whole of an array.
#include <stdlib.h>

int *numbers;

int main(int argc, char **argv)
{
    int n = argc > 100 ? atoi(argv[1]) : 5, sum = 0;
    numbers = malloc((size_t)n * sizeof *numbers);
    for (int i = 0; i < n; i++)
        numbers[i] = i;
    for (int i = 0; i < n; i++)
        sum += numbers[i];
    free(numbers);
    return sum != 10;
}
