// expect: bug out-of-bounds
// The word behind a block that is aligned to a page.
#include <stdlib.h>

long *page;

int main(int argc, char **argv)
{
    size_t words = argc > 100 ? strtoul(argv[1], NULL, 10) : 512;
    page = aligned_alloc(4096, words * sizeof *page);
    for (size_t i = 0; i <= words; i++)
        page[i] = (long)i;
    long last = page[words - 1];
    free(page);
    return last != 511;
}
