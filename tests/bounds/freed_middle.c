// expect: verified
// The pointer that walked through a block is not the one that is freed.
#include <stdlib.h>

char *text;

int main(void)
{
    text = calloc(40, 1);
    text[16] = 1;
    char *p = text;
    while (!*p)
        p++;
    free(text);
    return 0;
}
