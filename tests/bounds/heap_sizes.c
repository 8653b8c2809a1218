// expect: verified
// Every byte of blocks of all small sizes and alignments may be used, in accesses of every size.
#define _GNU_SOURCE
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static unsigned long use(char *p, size_t size)
{
    unsigned long sum = 0;
    for (size_t i = 0; i < size; i++)
        p[i] = (char)i;
    for (size_t i = 0; i + 2 <= size; i += 2)
        sum += *(volatile uint16_t *)(p + i);
    for (size_t i = 0; i + 4 <= size; i++) { // unaligned, too
        uint32_t word;
        memcpy(&word, p + i, 4);
        sum += word;
    }
    for (size_t i = 0; i + 8 <= size; i += 8)
        sum += *(uint64_t *)(p + i);
    return sum;
}

int main(void)
{
    unsigned long sum = 0;
    for (size_t size = 0; size < 40; size++) {
        char *p = malloc(size), *q = calloc(1, size);
        sum += use(p, size) + use(q, size);
        p = realloc(p, size + 3);
        sum += use(p, size + 3);
        sum += use(p, malloc_usable_size(p));
        free(p);
        free(q);
        for (size_t alignment = 8; alignment <= 4096; alignment *= 8) {
            void *aligned;
            if (posix_memalign(&aligned, alignment, size))
                return 1;
            sum += use(aligned, size);
            free(aligned);
        }
    }
    return sum == 1;
}
