// What the prebuilt library asks of the C library that a node cannot have as it is.
//
// Objects of Debian's libraft.a reach `stderr` in a way that a shared object may not, unless it has a variable of that name
// of its own. The library writes there only if LIBRAFT_TRACE is set. Its heap can give out aligned memory, which nobody asks it for.
#include <stddef.h>

void *malloc(size_t size);

__attribute__((visibility("hidden"))) void *stderr;

__attribute__((visibility("hidden"))) void *aligned_alloc(size_t alignment, size_t size)
{
    (void)alignment;
    return malloc(size);
}
