// omp_alloc and its like, and what the compilers call for `allocate`: all allocators are the program's heap.
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

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

void *omp_aligned_calloc(size_t alignment, size_t count, size_t size, unsigned long allocator)
{
    size_t total;
    if (__builtin_mul_overflow(count, size, &total))
        return NULL;
    void *block = omp_aligned_alloc(alignment, total, allocator);
    return block ? memset(block, 0, total) : NULL;
}

// Allocators have numbers; 1 is the default one, which all are.
enum { DEFAULT_ALLOCATOR = 1 };

unsigned long omp_init_allocator(unsigned long space, int traits, const void *trait)
{
    (void)space, (void)traits, (void)trait;
    return DEFAULT_ALLOCATOR;
}

void omp_destroy_allocator(unsigned long allocator)
{
    (void)allocator;
}

unsigned long omp_get_default_allocator(void)
{
    return DEFAULT_ALLOCATOR;
}

void omp_set_default_allocator(unsigned long allocator)
{
    (void)allocator;
}

void *GOMP_alloc(size_t alignment, size_t size, unsigned long allocator)
{
    size_t least = sizeof(void *);
    return omp_aligned_alloc(alignment > least ? alignment : least, size, allocator);
}

void GOMP_free(void *block, unsigned long allocator)
{
    omp_free(block, allocator);
}

void *__kmpc_alloc(int32_t thread, size_t size, unsigned long allocator)
{
    (void)thread;
    return omp_alloc(size, allocator);
}

void __kmpc_free(int32_t thread, void *block, unsigned long allocator)
{
    (void)thread;
    omp_free(block, allocator);
}
