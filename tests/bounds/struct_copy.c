// expect: verified
// A struct is copied out of a block as large as it.
#include <stdlib.h>

struct small {
    long kind;
    int a;
};
struct large {
    long kind;
    int a, b, c[5];
};

void *message;

int main(int argc, char **argv)
{
    struct large copy;
    message = calloc(1, argc > 100 ? strtoul(argv[1], NULL, 10) : sizeof(struct large));
    copy = *(struct large *)message;
    free(message);
    return copy.c[3] == 1000;
}
