#include "target/threads/memory/frames.h"

#include "base/mem.h"
#include "target/threads/memory/arena.h"
#include "target/threads/engine/engine_room.h"
#include "target/threads/memory/defined.h"

static struct call_frame (*frames)[CALL_DEPTH]; // by actor, outermost first

struct call_frame *frames_of(const struct thread *t)
{
    if (!frames)
        frames = mem_reserve(MAX_ACTORS * sizeof *frames);
    return frames[t->actor];
}

__attribute__((noinline)) void frames_enter(struct thread *t, const void *pc)
{
    uint64_t *own =
        __builtin_frame_address(0); // the function's frame pointer, where the hook returns to, the function's stack
    uint32_t index = t->depth - 1;
    if (index >= CALL_DEPTH)
        return;
    bool directly = own[1] == (uint64_t)(uintptr_t)pc; // by a jump at the end of the hook, not a call in it
    frames_of(t)[index] = (struct call_frame){directly ? own[1] : 0, (uint64_t)(uintptr_t)(own + 2), own[0]};
    if (engine.rules.memory_errors && directly)
        defined_enter((uint64_t)(uintptr_t)(own + 2), pc);
}

static uint64_t word_below(uint64_t address)
{
    return *(const uint64_t *)(uintptr_t)(address - 8);
}

// The function that called has nothing on its stack but what it had at its beginning, if the return address lies right below that.
// So the callee's frame ends there.
void frames_leave(struct thread *t, const void *pc, uint64_t stack)
{
    enum { LARGEST = 1 << 16 };
    uint32_t index = t->depth - 1;
    if (!index || index >= CALL_DEPTH || !engine.strangers || !engine.check_races)
        return;
    const struct call_frame *own = &frames_of(t)[index], *caller = own - 1;
    uint64_t low = stack && stack < own->sp ? stack : own->sp;
    if (!own->pc || !caller->pc || own->sp >= caller->sp || caller->sp - low > LARGEST ||
        word_below(caller->sp) != engine.calls[t->actor][index])
        return;
    for (uint64_t a = low & ~7ull; a + 8 < caller->sp; a += 8) {
        struct cell *cell = shadow_cell(&engine.races.shadow, a);
        if (cell->state & (CELL_FREED | CELL_VISIBLE | CELL_PRIVATE))
            continue;
        uint8_t racing = race_passing(&engine.races, &t->know, cell, 0xff, true);
        if (racing)
            fail(t, BUG_USE_AFTER_RETURN, a + (uint32_t)__builtin_ctz(racing), pc,
                 "returns from a function while another thread may still use a variable of it");
    }
}

bool frames_is_left(const struct thread *t, uint64_t address)
{
    if (!frames || !t->depth || t->depth > CALL_DEPTH || t->stack_low != t->own_stack.low)
        return false;
    const struct call_frame *last = &frames[t->actor][t->depth - 1];
    return last->pc && address < last->sp && address >= (uint64_t)(uintptr_t)t->stack_low &&
           word_below(last->sp) == (uint64_t)(uintptr_t)t->request.pc;
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
