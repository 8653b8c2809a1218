// expect: bug use-after-free
// A string is measured by the C library after it was freed.
#include <stdlib.h>
#include <string.h>

char *text;

int main(int argc, char **argv)
{
    text = strdup(argc > 100 ? argv[1] : "heddle");
    free(text);
    size_t length = strlen(text);
    return length == 1000;
}
