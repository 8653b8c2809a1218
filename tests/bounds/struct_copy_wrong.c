// expect: bug out-of-bounds
// A struct is copied out of a block for a smaller one.
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
    message = calloc(1, argc > 100 ? strtoul(argv[1], NULL, 10) : sizeof(struct small));
    copy = *(struct large *)message;
    free(message);
    return copy.c[3] == 1000;
}
