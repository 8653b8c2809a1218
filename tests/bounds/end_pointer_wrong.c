// expect: bug out-of-bounds
// A pointer behind the last element is followed before it is compared.
#include <stdlib.h>

int *numbers;

int main(int argc, char **argv)
{
    size_t n = argc > 100 ? strtoul(argv[1], NULL, 10) : 4;
    numbers = calloc(n, sizeof *numbers);
    int *p = numbers, *end = numbers + n;
    while (*p != 9 && p != end)
        p++;
    int found = p != end;
    free(numbers);
    return found;
}
