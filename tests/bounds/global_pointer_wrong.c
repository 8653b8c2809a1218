// expect: bug out-of-bounds
// A static array behind a pointer, used one element too far.
#include <stdlib.h>

static int numbers[6], others[6];
int *volatile each = numbers;

int main(int argc, char **argv)
{
    int n = argc > 100 ? atoi(argv[1]) : 6, sum = 0;
    int *from = each;
    for (int i = 0; i <= n; i++)
        sum += from[i];
    each = others;
    return sum == 1000;
}
