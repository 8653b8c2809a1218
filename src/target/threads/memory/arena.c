#define _GNU_SOURCE
#include "target/threads/memory/arena.h"

#include <link.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "base/fail.h"
#include "base/mem.h"
#include "target/threads/libc/libc_room.h"

enum { PAGE = 4096, SLACK = 64 << 10 }; // what heddle's own calls on a stack of the program may need
enum { WITHOUT_LIMIT = 2 << 20 };       // what glibc gives a thread where the system sets no limit

// Below this an actor's stack is guarded; null: nowhere yet. Large ones are reserved when they are.
static PROCESS_STATE uint8_t *guarded[MAX_ACTORS], *guarded_large[MAX_ACTORS];

bool arena_reserve(void)
{
    void *stacks = (void *)(uintptr_t)STACKS_START;
    if (!mem_reserve_at((void *)(uintptr_t)ARENA_START, ARENA_END - ARENA_START) ||
        !mem_reserve_at(stacks, STACKS_END - STACKS_START))
        return false;
    madvise(stacks, STACKS_END - STACKS_START, MADV_NOHUGEPAGE); // or a thread's few frames would take 2 MiB
    return true;
}

static size_t limit_or(size_t otherwise)
{
    struct rlimit limit;
    return getrlimit(RLIMIT_STACK, &limit) || limit.rlim_cur == RLIM_INFINITY ? otherwise : limit.rlim_cur;
}

size_t arena_usual_stack(void)
{
    static size_t usual; // as it is when the program starts
    usual = usual ? usual : limit_or(WITHOUT_LIMIT);
    return usual;
}

size_t arena_main_stack(void)
{
    static size_t usual;
    size_t most = LARGE_STACK_ROOM / 2;
    usual = usual ? usual : limit_or(most);
    return usual < most ? usual : most;
}

static int asks_for_code(struct dl_phdr_info *info, size_t size, void *none)
{
    (void)size;
    (void)none;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_GNU_STACK && info->dlpi_phdr[i].p_flags & PF_X)
            return 1;
    return 0;
}

// Protection of stacks: they hold code, too, if the program or one of its libraries takes addresses of nested functions.
static int stack_access(void)
{
    static int access;
    if (!access)
        access = PROT_READ | PROT_WRITE | (dl_iterate_phdr(asks_for_code, NULL) ? PROT_EXEC : 0);
    return access;
}

// Only stacks that are used have a guard: each makes forking slower.
static void arena_guard(uint8_t **before, uint8_t *bottom, uint8_t *low, const uint8_t *top)
{
    if (*before == low)
        return;
    if (*before > low || stack_access() & PROT_EXEC)
        require(!mprotect(low, (size_t)(top - low), stack_access()));
    require(!mprotect(bottom, (size_t)(low - bottom), PROT_NONE));
    *before = low;
}

// It is not among those whose shadow is found by arithmetic, so accesses to it take longer.
static struct arena_stack large_stack(uint32_t actor, size_t size)
{
    uint8_t *bottom = (uint8_t *)(uintptr_t)(LARGE_STACKS + actor * LARGE_STACK_ROOM);
    if (size > LARGE_STACK_ROOM - SLACK - PAGE)
        return (struct arena_stack){0};
    if (!guarded_large[actor] && !mem_reserve_at(bottom, LARGE_STACK_ROOM))
        return (struct arena_stack){0};
    uint8_t *top = bottom + LARGE_STACK_ROOM, *low = top - size - SLACK;
    arena_guard(&guarded_large[actor], bottom, low, top);
    return (struct arena_stack){low, top, size};
}

struct arena_stack arena_stack(uint32_t actor, size_t size)
{
    size = (size + PAGE - 1) & ~(size_t)(PAGE - 1);
    if (size > STACK_ROOM - SLACK - PAGE)
        return large_stack(actor, size);
    uint8_t *top = arena_stack_top(actor), *low = top - size - SLACK;
    arena_guard(&guarded[actor], top - STACK_ROOM, low, top);
    return (struct arena_stack){low, top, size};
}
