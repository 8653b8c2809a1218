// expect: bug bad-index
// A local array whose last element is not the one that the loop takes for it.
#include <stdlib.h>

int main(int argc, char **argv)
{
    int counts[4] = {0}, sum = 0, n = argc > 100 ? atoi(argv[1]) : 4;
    for (int i = 1; i <= n; i++)
        counts[i] = i;
    for (int i = 0; i < 4; i++)
        sum += counts[i];
    return sum == 1000;
}
