// expect: bug out-of-bounds
// The byte in front of such a block, in the room that the alignment left.
#include <stdlib.h>

char *line;

int main(int argc, char **argv)
{
    long first = argc > 100 ? atol(argv[1]) : 0;
    void *p;
    if (posix_memalign(&p, 64, 24))
        return 1;
    line = p;
    line[first - 1] = 1;
    line[1] = 2;
    int second = line[1];
    free(line);
    return second != 2;
}
