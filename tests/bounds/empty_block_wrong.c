// expect: bug out-of-bounds
// A block without bytes has no first byte.
#include <stdlib.h>

char *nothing, *other;

int main(int argc, char **argv)
{
    size_t size = argc > 100 ? strtoul(argv[1], NULL, 10) : 0;
    nothing = malloc(size);
    other = malloc(size);
    nothing[0] = 1;
    int same = nothing[0] == 2;
    free(nothing);
    free(other);
    return same;
}
