// expect: verified options: --cflags -O3
// A loop over vectors that writes, in a block that ends within a vector.
#include <stdlib.h>

unsigned char *from, *to;

__attribute__((noinline)) static void add(unsigned char *restrict sum, const unsigned char *restrict a, size_t n)
{
    for (size_t i = 0; i < n; i++)
        sum[i] = (unsigned char)(a[i] + 3);
}

int main(int argc, char **argv)
{
    size_t n = argc > 100 ? strtoul(argv[1], NULL, 10) : 77;
    from = calloc(n, 1);
    to = malloc(n);
    add(to, from, n);
    int first = to[0];
    free(from);
    free(to);
    return first != 3;
}
