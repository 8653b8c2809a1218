// expect: verified
// What is left of a block that was made smaller.
#include <stdlib.h>
#include <string.h>

char *text;

int main(int argc, char **argv)
{
    size_t size = argc > 100 ? strtoul(argv[1], NULL, 10) : 29;
    text = malloc(40);
    memset(text, 'x', 40);
    text = realloc(text, size);
    int there = text[size - 1] == 'x';
    free(text);
    return !there;
}
