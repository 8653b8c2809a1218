// omp_alloc and its like: all allocators are the program's heap.
#include <stddef.h>
#include <stdlib.h>

void *omp_alloc(size_t size, unsigned long allocator)
{
    (void)allocator;
    return size ? malloc(size) : NULL;
}

void *omp_calloc(size_t count, size_t size, unsigned long allocator)
{
    (void)allocator;
    return count && size ? calloc(count, size) : NULL;
}

void *omp_realloc(void *block, size_t size, unsigned long allocator, unsigned long old_allocator)
{
    (void)allocator, (void)old_allocator;
    return realloc(block, size);
}

void *omp_aligned_alloc(size_t alignment, size_t size, unsigned long allocator)
{
    (void)allocator;
    return size ? aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment) : NULL;
}

void omp_free(void *block, unsigned long allocator)
{
    (void)allocator;
    free(block);
}
