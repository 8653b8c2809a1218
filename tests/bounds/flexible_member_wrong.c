// expect: bug out-of-bounds
// The same without room for the last element.
#include <stdlib.h>

struct list {
    size_t n;
    short element[];
};

struct list *list;

int main(int argc, char **argv)
{
    size_t n = argc > 100 ? strtoul(argv[1], NULL, 10) : 3;
    list = malloc(sizeof *list + (n - 1) * sizeof *list->element);
    list->n = n;
    for (size_t i = 0; i < list->n; i++)
        list->element[i] = (short)i;
    int second = list->element[1];
    free(list);
    return second != 1;
}
