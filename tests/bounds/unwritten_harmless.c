// expect: verified options: --memory-errors
// What nobody wrote is copied, added up, and part of words that are compared, and decides nothing.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct flags {
    unsigned open : 1, full : 1, depth : 6;
    short rest;
    long number;
};

struct flags *flags, *copy;
int *sums;
static long seen;

__attribute__((noinline)) static void look(const unsigned char *byte, const short *pair, const int *number)
{
    if (*byte == 0xbe)
        seen++;
    if (*pair == (short)0xbebe)
        seen++;
    if (*number == 7)
        seen++;
}

__attribute__((noinline)) static int given(unsigned char byte, short pair, int number)
{
    look(&byte, &pair, &number);
    return byte;
}

int main(void)
{
    flags = malloc(sizeof *flags);
    copy = malloc(sizeof *copy);
    sums = malloc(4 * sizeof *sums);
    flags->open = 1; // the other bits of the byte stay as they are
    if (flags->open)
        seen++;
    *copy = *flags;
    memcpy(copy, flags, sizeof *copy);
    sums[1] = sums[0] + 1;
    seen += given(0xbe, (short)0xbebe, 7) == 1;
    char line[32];
    snprintf(line, sizeof line, "%ld", seen);
    if (strlen(line) > 20)
        seen++;
    free(flags);
    free(copy);
    free(sums);
    return seen == 1000;
}
