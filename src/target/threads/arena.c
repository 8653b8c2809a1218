#include "target/threads/arena.h"

#include <sys/mman.h>

#include "base/fail.h"
#include "base/mem.h"
#include "target/threads/public.h"

enum { PAGE = 4096 };

static PROCESS_STATE bool guarded[MAX_ACTORS];

bool arena_reserve(void)
{
    return mem_reserve_at((void *)(uintptr_t)ARENA_START, ARENA_END - ARENA_START) != NULL;
}

// Only stacks that are used have a guard: each makes forking slower.
void arena_guard(uint32_t actor)
{
    if (guarded[actor])
        return;
    guarded[actor] = true;
    require(!mprotect(arena_stack_low(actor), PAGE, PROT_NONE));
}
