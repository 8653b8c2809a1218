// expect: verified
// memcpy of as many bytes as there is room for.
#include <stdlib.h>
#include <string.h>

char *copy;

int main(int argc, char **argv)
{
    char text[32] = "a text of some length";
    size_t much = argc > 100 ? strtoul(argv[1], NULL, 10) : 21;
    copy = malloc(much);
    memcpy(copy, text, much);
    int first = copy[0];
    free(copy);
    return first != 'a';
}
