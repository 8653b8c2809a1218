// expect: bug out-of-bounds
// snprintf is told of more room than there is, and uses it.
#include <stdio.h>
#include <stdlib.h>

char *text;

int main(int argc, char **argv)
{
    int number = argc > 100 ? atoi(argv[1]) : 123456;
    text = malloc(6);
    snprintf(text, 8, "%d", number);
    int first = text[0];
    free(text);
    return first != '1';
}
