// expect: bug
// A global array, used one element too far.
#include <stdlib.h>

int numbers[5], others[5];

int main(int argc, char **argv)
{
    int n = argc > 100 ? atoi(argv[1]) : 5;
    for (int i = 0; i <= n; i++)
        numbers[i]++;
    return numbers[0] + others[0] == 1000;
}
