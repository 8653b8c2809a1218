#define _GNU_SOURCE
#include "supervise/shelf.h"

#include <string.h>
#include <sys/mman.h>

#include "base/fail.h"

struct shelf *shelf_new(size_t bytes)
{
    struct shelf *shelf = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (shelf == MAP_FAILED)
        return NULL;
    *shelf = (struct shelf){.used = sizeof *shelf, .size = bytes};
    return shelf;
}

void shelf_free(struct shelf *shelf)
{
    munmap(shelf, shelf->size);
}

void *shelf_take(struct shelf *shelf, size_t count, size_t size)
{
    enum { ALIGNMENT = 16 };
    size_t at = (shelf->used + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
    require(at <= shelf->size && (!size || count <= (shelf->size - at) / size));
    shelf->used = at + count * size;
    return (char *)shelf + at;
}

void *shelf_put(struct shelf *shelf, const void *array, size_t count, size_t size)
{
    void *copy = shelf_take(shelf, count, size);
    if (count)
        memcpy(copy, array, count * size);
    return copy;
}

const char *shelf_text(struct shelf *shelf, const char *text)
{
    return text ? shelf_put(shelf, text, strlen(text) + 1, 1) : NULL;
}
