// expect: verified
// read into a block with room for what comes.
#include <stdlib.h>
#include <unistd.h>

char *text;

int main(void)
{
    int ends[2];
    if (pipe(ends) || write(ends[1], "0123456789", 10) != 10)
        return 1;
    text = malloc(10);
    if (read(ends[0], text, 10) != 10)
        return 1;
    int first = text[0];
    free(text);
    return first != '0';
}
