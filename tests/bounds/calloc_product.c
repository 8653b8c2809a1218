// expect: verified
// As many structs as were asked for.
#include <stdlib.h>

struct point {
    long x, y, z;
};

struct point *points;

int main(int argc, char **argv)
{
    size_t n = argc > 100 ? strtoul(argv[1], NULL, 10) : 1;
    points = calloc(n, sizeof *points);
    points[n - 1].y = 2;
    long sum = points[n - 1].x + points[n - 1].y;
    free(points);
    return sum != 2;
}
