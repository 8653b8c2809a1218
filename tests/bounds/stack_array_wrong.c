// expect: bug out-of-bounds gcc: verified options: --memory-errors
// An array on the stack, used one element too far.
#include <stdlib.h>

int *numbers;

int main(int argc, char **argv)
{
    int own[5] = {0}, sum = 0, n = argc > 100 ? atoi(argv[1]) : 5;
    numbers = own;
    for (int i = 0; i <= n; i++)
        sum += numbers[i];
    return sum == 1000;
}
