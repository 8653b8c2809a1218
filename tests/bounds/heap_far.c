// expect: verified options: --memory-errors
// Every element of a large block.
#include <stdlib.h>

char *small, *large;

int main(int argc, char **argv)
{
    size_t at = argc > 100 ? strtoul(argv[1], NULL, 10) : 1000;
    small = calloc(16, 1);
    large = calloc(4000, 1);
    large[at] = 1;
    int first = large[0];
    free(small);
    free(large);
    return first;
}
