// expect: verified options: --memory-errors
// What nobody has written does not matter where the records differ in what was written, or where both have no gaps.
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
    struct record *one = make(4), *other = calloc(1, sizeof *other), *third = calloc(1, sizeof *third);
    other->kind = third->kind = 'a';
    other->size = third->size = 5;
    int differ = compare(one, other, sizeof *one) != 0;
    int same = compare(other, third, sizeof *other) == 0;
    free(one);
    free(other);
    free(third);
    return differ + same - 2;
}
