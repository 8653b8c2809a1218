// expect: verified
// A buffer is freed only if it was allocated.
#include <stdlib.h>

char *buffer;

int main(int argc, char **argv)
{
    char small[64];
    size_t size = argc > 100 ? strtoul(argv[1], NULL, 10) : 10;
    buffer = size > sizeof small ? malloc(size) : small;
    buffer[0] = 1;
    int first = buffer[0];
    if (buffer != small)
        free(buffer);
    return first != 1;
}
