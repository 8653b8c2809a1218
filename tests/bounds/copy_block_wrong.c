// expect: bug out-of-bounds
// memcpy of more bytes than there is room for.
#include <stdlib.h>
#include <string.h>

char *copy;

int main(int argc, char **argv)
{
    char text[32] = "a text of some length";
    size_t much = argc > 100 ? strtoul(argv[1], NULL, 10) : 21;
    copy = malloc(much - 1);
    memcpy(copy, text, much);
    int first = copy[0];
    free(copy);
    return first != 'a';
}
