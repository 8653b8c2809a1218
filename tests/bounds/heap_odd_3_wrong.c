// expect: bug out-of-bounds
// The byte behind a block of 3.
#include <stdlib.h>

char *text;

int main(int argc, char **argv)
{
    size_t size = argc > 100 ? strtoul(argv[1], NULL, 10) : 3;
    text = calloc(size, 1);
    text[size] = 1;
    int first = text[0];
    free(text);
    return first;
}
