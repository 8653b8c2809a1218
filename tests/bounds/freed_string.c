// expect: verified
// A string is measured before it is freed.
#include <stdlib.h>
#include <string.h>

char *text;

int main(int argc, char **argv)
{
    text = strdup(argc > 100 ? argv[1] : "heddle");
    size_t length = strlen(text);
    free(text);
    return length == 1000;
}
