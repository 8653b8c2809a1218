// expect: bug uninitialised options: --memory-errors
// A branch on an element of a local array that nobody wrote.
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
    fill(argc > 100 ? 8 : 4);
    if (own[6])
        puts("set");
    return 0;
}
