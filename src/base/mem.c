#include "base/mem.h"

#include <sys/mman.h>

#include "base/fail.h"

void *mem_reserve(size_t bytes)
{
    void *start = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (start == MAP_FAILED)
        fail_at(__FILE__, __LINE__, "out of address space");
    return start;
}

void *mem_reserve_at(void *address, size_t bytes)
{
    void *start = mmap(address, bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (start == MAP_FAILED)
        return NULL;
    if (start != address) { // kernels before 4.17 take the address as a hint
        munmap(start, bytes);
        return NULL;
    }
    return start;
}

void mem_release(void *start, size_t bytes)
{
    munmap(start, bytes);
}
