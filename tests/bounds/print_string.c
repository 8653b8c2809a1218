// expect: verified
// snprintf knows how much room there is.
#include <stdio.h>
#include <stdlib.h>

char *text;

int main(int argc, char **argv)
{
    int number = argc > 100 ? atoi(argv[1]) : 123456;
    text = malloc(6);
    snprintf(text, 6, "%d", number);
    int first = text[0];
    free(text);
    return first != '1';
}
