// expect: bug uninitialised options: --memory-errors
// Two records are compared with the gaps in them, which nobody has written.
#include <stdlib.h>
#include <string.h>

struct record {
    char kind;
    int size;
};

static struct record *make(int size)
{
    struct record *made = malloc(sizeof *made);
    made->kind = 'a';
    made->size = size;
    return made;
}

int (*volatile compare)(const void *, const void *, size_t) = memcmp;

int main(void)
{
    struct record *one = make(4), *other = calloc(1, sizeof *other);
    other->kind = 'a';
    other->size = 4;
    int differ = compare(one, other, sizeof *one) != 0;
    free(one);
    free(other);
    return differ * 0;
}
