// expect: verified
// Two blocks side by side, each used to its end.
#include <stdlib.h>

long *a, *b;

int main(int argc, char **argv)
{
    size_t n = argc > 100 ? strtoul(argv[1], NULL, 10) : 2;
    a = calloc(n, sizeof *a);
    b = calloc(n, sizeof *b);
    for (size_t i = 0; i < n; i++)
        a[i] = 1;
    long sum = a[0] + b[n - 1];
    free(a);
    free(b);
    return sum == 1000;
}
