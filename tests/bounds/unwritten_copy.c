// expect: verified options: --memory-errors
// A struct is copied when all of it was written, and the copy decides.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct order {
    long number;
    int urgent;
};

struct order *taken, *given;

int main(void)
{
    taken = malloc(sizeof *taken);
    given = malloc(sizeof *given);
    taken->number = 1;
    taken->urgent = 0;
    memcpy(given, taken, sizeof *given);
    if (given->urgent)
        puts("urgent");
    free(taken);
    free(given);
    return 0;
}
