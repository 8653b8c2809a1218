// expect: verified
// A block without bytes is freed, and compared, but not used.
#include <stdlib.h>

char *nothing, *other;

int main(int argc, char **argv)
{
    size_t size = argc > 100 ? strtoul(argv[1], NULL, 10) : 0;
    nothing = malloc(size);
    other = malloc(size);
    int same = nothing == other;
    free(nothing);
    free(other);
    return same;
}
