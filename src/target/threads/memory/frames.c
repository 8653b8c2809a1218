#include "target/threads/memory/frames.h"

#include "base/mem.h"
#include "target/threads/memory/arena.h"

static struct call_frame (*frames)[CALL_DEPTH]; // by actor, outermost first

struct call_frame *frames_of(const struct thread *t)
{
    if (!frames)
        frames = mem_reserve(MAX_ACTORS * sizeof *frames);
    return frames[t->actor];
}

__attribute__((noinline)) void frames_enter(struct thread *t, const void *pc)
{
    uint64_t *own = __builtin_frame_address(0); // the function's frame pointer, where the hook returns to, the function's stack
    uint32_t index = t->depth - 1;
    if (index >= CALL_DEPTH)
        return;
    bool directly = own[1] == (uint64_t)(uintptr_t)pc; // by a jump at the end of the hook, not a call in it
    frames_of(t)[index] = (struct call_frame){directly ? own[1] : 0, (uint64_t)(uintptr_t)(own + 2), own[0]};
}

void frames_keep(const struct thread *t)
{
    uint32_t depth = t->depth < CALL_DEPTH ? t->depth : CALL_DEPTH;
    if (frames)
        undo_save(&engine.undo, frames[t->actor], depth * sizeof **frames);
}

static uint32_t owner_of(uint64_t address)
{
    return (uint32_t)((address - STACKS_START) / STACK_ROOM);
}

static uint64_t end_of_stack(const struct thread *t)
{
    return t == engine.running ? (uint64_t)(uintptr_t)__builtin_frame_address(0) : (uint64_t)(uintptr_t)t->sp;
}

bool frames_find(uint64_t address, uint64_t pc, struct found_frame *found)
{
    if (!frames || address < STACKS_START || address >= STACKS_END)
        return false;
    const struct thread *t = &engine.threads[owner_of(address)];
    uint32_t depth = t->depth < CALL_DEPTH ? t->depth : CALL_DEPTH, i = 0;
    bool elsewhere = (uint8_t *)(uintptr_t)address < t->stack_low || (uint8_t *)(uintptr_t)address > t->stack_top;
    if (!depth || !t->sp || elsewhere || address < end_of_stack(t))
        return false;
    const struct call_frame *own = frames[t->actor];
    while (i + 1 < depth && address < own[i].sp)
        i++;
    uint64_t here = t == engine.running ? pc : (uint64_t)(uintptr_t)t->request.pc;
    *found = (struct found_frame){.frame = own[i],
                                  .actor = t->actor,
                                  .at = i + 1 < depth ? engine.calls[t->actor][i + 1] : here,
                                  .low = address < own[i].sp ? address : own[i].sp, // below it what alloca gave
                                  .end = i ? own[i - 1].sp : (uint64_t)(uintptr_t)t->stack_top};
    return own[i].pc;
}
