// expect: bug out-of-bounds options: --cflags -O3
// The same, one element too far.
#include <stdlib.h>

int *numbers;

__attribute__((noinline)) static int sum_of(const int *from, size_t n)
{
    int sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += from[i];
    return sum;
}

int main(int argc, char **argv)
{
    size_t n = argc > 100 ? strtoul(argv[1], NULL, 10) : 67;
    numbers = calloc(n, sizeof *numbers);
    numbers[66] = 5;
    int sum = sum_of(numbers, n + 1);
    free(numbers);
    return sum == 1000;
}
