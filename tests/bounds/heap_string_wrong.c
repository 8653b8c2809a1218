// expect: bug out-of-bounds
// A string without room for its end.
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    const char *text = argc > 100 ? argv[1] : "heddle";
    char *copy = malloc(strlen(text));
    strcpy(copy, text);
    int length = (int)strlen(copy);
    free(copy);
    return length == 1000;
}
