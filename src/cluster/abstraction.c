#include "cluster/abstraction.h"

#include <stdlib.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

uint64_t abstraction_hash(const uint8_t *abstract, size_t size)
{
    return XXH3_64bits_withSeed(abstract, size < ABSTRACT ? size : ABSTRACT, size);
}

static int compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

uint64_t abstraction_sum(uint64_t *each, size_t count, uint64_t seed)
{
    qsort(each, count, sizeof *each, compare);
    return XXH3_64bits_withSeed(each, count * sizeof *each, seed);
}
