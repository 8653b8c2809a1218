// expect: verified
// An array whose first element goes: all others move.
#include <stdlib.h>
#include <string.h>

int *queue;

int main(int argc, char **argv)
{
    size_t n = argc > 100 ? strtoul(argv[1], NULL, 10) : 6;
    queue = calloc(n, sizeof *queue);
    queue[1] = 1;
    memmove(queue, queue + 1, (n - 1) * sizeof *queue);
    int first = queue[0];
    free(queue);
    return first != 1;
}
