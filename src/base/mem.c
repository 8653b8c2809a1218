#include "base/mem.h"

#include <stdint.h>
#include <sys/mman.h>

#include "base/fail.h"

enum { PAGE = 4096, LINE = 64 };

#define POOL_BYTES (1ull << 38)

// Memory for all processes of a family is set aside before the first fork: a mapping that one of them made later would be
// in that one only.
static struct {
    char *next, *end;
    char *start; // null: nothing is shared
} pool;

void mem_share(void)
{
    void *start = mmap(NULL, POOL_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (start == MAP_FAILED)
        fail_at(__FILE__, __LINE__, "out of address space");
    pool.start = pool.next = start;
    pool.end = pool.start + POOL_BYTES;
}

static char *reserve_shared(size_t bytes)
{
    bytes = (bytes + PAGE - 1) & ~(size_t)(PAGE - 1);
    if (bytes > (size_t)(pool.end - pool.next))
        fail_at(__FILE__, __LINE__, "out of address space");
    char *start = pool.next;
    pool.next += bytes;
    return start;
}

static char *reserve_own(size_t bytes)
{
    void *start = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (start == MAP_FAILED)
        fail_at(__FILE__, __LINE__, "out of address space");
    return start;
}

// A search mostly uses the first few hundred bytes of its arrays. If all arrays began at the beginning of a page, they would
// compete for the same few cache lines; so each begins at another offset in its page.
static size_t place_in_page(void)
{
    static size_t place;
    place += (size_t)9 * LINE;
    return place % PAGE;
}

void *mem_reserve(size_t bytes)
{
    size_t place = place_in_page();
    return place + (pool.start ? reserve_shared(bytes + place) : reserve_own(bytes + place));
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
    size_t place = (uintptr_t)start % PAGE;
    char *at = (char *)start - place;
    if (pool.start && at >= pool.start && at < pool.end)
        madvise(at, bytes + place, MADV_REMOVE);
    else
        munmap(at, bytes + place);
}
