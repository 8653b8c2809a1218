// Where things are: fixed addresses below 4 GiB for the stacks and heaps of the program under test, the same in every
// execution and in every process.
#ifndef TARGET_ARENA_H
#define TARGET_ARENA_H

#include <stdbool.h>
#include <stdint.h>

#include "model/exec.h"

#define ARENA_START 0x10000000ull
#define STACKS_START ARENA_START // one for each actor but main
#define STACK_SIZE 0x100000ull   // with a guard page at its low end
#define MAIN_STACK_SIZE 0x800000ull
#define MAIN_STACK (STACKS_START + MAX_ACTORS * STACK_SIZE)
#define BOOT_HEAP (MAIN_STACK + MAIN_STACK_SIZE) // what is allocated outside the program's own control
#define BOOT_HEAP_SIZE 0x4000000ull
#define HEAPS_START (BOOT_HEAP + BOOT_HEAP_SIZE)
#define MAIN_HEAP_SIZE 0x20000000ull
#define HEAP_SIZE 0x900000ull
#define ARENA_END (HEAPS_START + MAIN_HEAP_SIZE + (MAX_ACTORS - 1) * HEAP_SIZE)

_Static_assert(ARENA_END <= 1ull << 32, "the arena has to lie where the shadow is found by arithmetic");

static inline uint8_t *arena_stack_low(uint32_t actor)
{
    return (uint8_t *)(uintptr_t)(actor ? STACKS_START + actor * STACK_SIZE : MAIN_STACK);
}

static inline uint8_t *arena_stack_top(uint32_t actor)
{
    return arena_stack_low(actor) + (actor ? STACK_SIZE : MAIN_STACK_SIZE);
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

// Guards the low end of an actor's stack, which is about to be used.
void arena_guard(uint32_t actor);

#endif
