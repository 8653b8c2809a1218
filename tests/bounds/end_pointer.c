// expect: verified
// A pointer behind the last element is compared, never followed.
#include <stdlib.h>

int *numbers;

int main(int argc, char **argv)
{
    size_t n = argc > 100 ? strtoul(argv[1], NULL, 10) : 4;
    numbers = calloc(n, sizeof *numbers);
    int *p = numbers, *end = numbers + n;
    while (p != end && *p != 9)
        p++;
    int found = p != end;
    free(numbers);
    return found;
}
