// Where things are: fixed addresses for the stacks and heaps of the program under test, the same in every execution and
// in every process. Heaps lie below 4 GiB, stacks above; memory is used only for what is touched.
//
//     0x00400000       the program itself, linked with -no-pie
//     0x10000000       heap of what is allocated before main and by heddle itself, 64 MiB
//     0x14000000       heap of main, 512 MiB, then 255 of 9 MiB, one for each other actor
//     0x100000000      stacks: 16 MiB of addresses for each actor
//     0x80000000000    stacks that do not fit there, 4 GiB of addresses for each actor
//     0x100000000000   what main maps itself, 16 TiB, then 32 GiB for each other actor (maps.c)
//
// Stacks are as large as the program asks for, or as the system gives (`ulimit -s`), plus 64 KiB for heddle's own
// calls. Everything below is guarded. The shadow of large stacks takes longer to find. Of a deep stack only what can change is
// kept at each step (engine/deep_stacks.h). Where that is not possible, and a thread uses more than 1 MiB of its stack,
// executions go back by replay (turn_keep_large).
#ifndef TARGET_ARENA_H
#define TARGET_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "check/shadow.h"
#include "model/exec.h"

#define ARENA_START 0x10000000ull
#define BOOT_HEAP ARENA_START // what is allocated outside the program's own control
#define BOOT_HEAP_SIZE 0x4000000ull
#define HEAPS_START (BOOT_HEAP + BOOT_HEAP_SIZE)
#define MAIN_HEAP_SIZE 0x20000000ull
#define HEAP_SIZE 0x900000ull
#define ARENA_END (HEAPS_START + MAIN_HEAP_SIZE + (MAX_ACTORS - 1) * HEAP_SIZE)
#define STACKS_START 0x100000000ull
#define STACK_ROOM 0x1000000ull // for the stack of one actor: below what it may use lies what nobody may touch
#define STACKS_END (STACKS_START + MAX_ACTORS * STACK_ROOM)
#define LARGE_STACKS 0x80000000000ull // for those that do not fit
#define LARGE_STACK_ROOM 0x100000000ull

_Static_assert(ARENA_END <= STACKS_START && STACKS_END <= SHADOW_LOW_END, "where the shadow is found by arithmetic");

// A stack: the program may use what lies from `low` to `top`. It asked for `size` bytes; heddle's own calls need some, too.
struct arena_stack {
    uint8_t *low, *top;
    size_t size;
};

// Above every address of an actor's usual stack, the same in every execution.
static inline uint8_t *arena_stack_top(uint32_t actor)
{
    return (uint8_t *)(uintptr_t)(STACKS_START + (actor + 1) * STACK_ROOM);
}

static inline uint8_t *arena_heap(uint32_t actor)
{
    return (uint8_t *)(uintptr_t)(actor ? HEAPS_START + MAIN_HEAP_SIZE + (actor - 1) * HEAP_SIZE : HEAPS_START);
}

static inline uint8_t *arena_heap_end(uint32_t actor)
{
    return arena_heap(actor) + (actor ? HEAP_SIZE : MAIN_HEAP_SIZE);
}

// Reserves it all. False if something else lies there.
bool arena_reserve(void);

// The size of a stack for which nobody asked for one: what the system gives a thread, and the first one.
size_t arena_usual_stack(void);
size_t arena_main_stack(void);

// A stack of this size for the actor, which is about to use it, with everything below it guarded. `top` is null if there
// is no room.
struct arena_stack arena_stack(uint32_t actor, size_t size);

#endif
