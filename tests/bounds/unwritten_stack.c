// expect: verified options: --memory-errors
// A variable is written before it decides anything.
#include <stdio.h>

int *numbers;

__attribute__((noinline)) static void fill(int n)
{
    for (int i = 0; i < n; i++)
        numbers[i] = 0;
}

int main(int argc, char **argv)
{
    int own[8];
    (void)argv;
    numbers = own;
    fill(argc > 100 ? 4 : 8);
    if (own[6])
        puts("set");
    return 0;
}
