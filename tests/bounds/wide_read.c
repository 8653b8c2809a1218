// expect: verified
// A word that ends where its block ends.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

unsigned char *bytes;

int main(int argc, char **argv)
{
    size_t size = argc > 100 ? strtoul(argv[1], NULL, 10) : 21;
    uint64_t word;
    bytes = calloc(size, 1);
    memcpy(&word, bytes + size - 8, 8);
    free(bytes);
    return word == 1000;
}
