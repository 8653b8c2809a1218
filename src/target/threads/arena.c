#include "target/threads/arena.h"

#include <sys/mman.h>

#include "base/fail.h"
#include "base/mem.h"

enum { PAGE = 4096 };

bool arena_reserve(void)
{
    if (!mem_reserve_at((void *)(uintptr_t)ARENA_START, ARENA_END - ARENA_START))
        return false;
    for (uint32_t actor = 0; actor < MAX_ACTORS; actor++)
        require(!mprotect(arena_stack_low(actor), PAGE, PROT_NONE));
    return true;
}
