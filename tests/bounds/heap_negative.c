// expect: verified
// A remainder that is made positive before it is an index.
#include <stdlib.h>

long *table;

int main(int argc, char **argv)
{
    int key = argc > 100 ? atoi(argv[1]) : -15, slots = 7;
    int slot = ((key % slots) + slots) % slots;
    table = calloc((size_t)slots, sizeof *table);
    table[slot] = key;
    int found = table[slot] == key;
    free(table);
    return !found;
}
