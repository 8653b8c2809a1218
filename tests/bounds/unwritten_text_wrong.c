// expect: bug uninitialised options: --memory-errors
// The end of a text is looked for that nobody has written.
#include <stdlib.h>
#include <string.h>

char *text;

int main(void)
{
    text = malloc(16);
    strncpy(text, "four", 4);
    text[15] = 0;
    size_t length = strlen(text);
    free(text);
    return length == 1000;
}
