// Words of a thread's memory as they read if the thread had no number: an address in its own stack, heap, thread-local storage or
// record counts as a distance from where that begins. So threads that differ in nothing but their place have the same words.
//
// An address in another thread's memory stays as it is, and is noted: that thread is told apart from others by it. What stacks
// and heaps of main hold, and handles (pthread_t), are no such addresses: they mean the same to all threads.
#ifndef TARGET_SPELLING_H
#define TARGET_SPELLING_H

#include "base/paths.h"
#include "model/fingerprint.h"
#include "target/threads/engine/arguments.h"
#include "target/threads/engine/engine.h"
#include "target/threads/memory/arena.h"

#define OTHER_HEAPS (HEAPS_START + MAIN_HEAP_SIZE)
#define OTHER_STACKS (STACKS_START + STACK_ROOM)

struct spelling {
    uint32_t self;
    uint64_t mentioned[MAX_ACTORS / 64]; // others whose memory is pointed to
    // About the array of arguments (arguments.h).
    bool stack;        // of main: what is spelt stands there
    bool named;        // a pointer into the array stands on main's stack, …
    bool named_openly; // … or elsewhere, other than to the thread's own element
    bool sees_stack;   // another thread points to main's stack
};

enum { OWNER_NONE = MAX_ACTORS };

// Whose memory it is, other than main's, and how far in; OWNER_NONE if it is nobody's.
uint32_t spelling_owner_elsewhere(uint64_t address, uint64_t *offset);

static inline uint32_t spelling_owner(uint64_t address, uint64_t *offset)
{
    if (address - OTHER_HEAPS < ARENA_END - OTHER_HEAPS) {
        *offset = (address - OTHER_HEAPS) % HEAP_SIZE | 1ull << 40;
        return 1 + (uint32_t)((address - OTHER_HEAPS) / HEAP_SIZE);
    }
    if (address - OTHER_STACKS < STACKS_END - OTHER_STACKS) {
        *offset = (address - STACKS_START) % STACK_ROOM | 2ull << 40;
        return address % STACK_ROOM ? (uint32_t)((address - STACKS_START) / STACK_ROOM) : OWNER_NONE;
    }
    return likely(address < STACKS_END) ? OWNER_NONE : spelling_owner_elsewhere(address, offset);
}

// The same for a synchronisation object: those of a thread as a whole stand at its handle.
static inline uint32_t spelling_owner_of_place(uint64_t address, uint64_t *offset)
{
    if (address - OTHER_STACKS < STACKS_END - OTHER_STACKS + 64 && address % STACK_ROOM < 64) {
        uint32_t actor = (uint32_t)((address - OTHER_STACKS) / STACK_ROOM);
        *offset = address % STACK_ROOM | 5ull << 40;
        return actor ? actor : OWNER_NONE;
    }
    return spelling_owner(address, offset);
}

// Whether it points to main's stack, other than at its far end: two small numbers side by side look like an address there.
static inline bool spelling_means_stack(uint64_t word)
{
    const uint64_t far_end = 1 << 20;
    return word - (STACKS_START + far_end) < STACK_ROOM - far_end;
}

// The same for pointers into the array of arguments.
uint64_t spelling_of_argument(struct spelling *s, uint64_t word);

static inline uint64_t spelling_of(struct spelling *s, uint64_t word)
{
    uint64_t offset;
    if (arguments_meant(word))
        return spelling_of_argument(s, word);
    s->sees_stack |= s->self && spelling_means_stack(word);
    uint32_t owner = spelling_owner(word, &offset);
    if (likely(owner == OWNER_NONE))
        return word;
    if (owner == s->self)
        return 0xa11ce00000000000u | offset;
    s->mentioned[owner / 64] |= 1ull << (owner % 64);
    return word;
}

// Goes on with words of memory: as they are spelt, or as they are if there is no spelling. Without what the program ignores.
void spelling_mix_words(struct fingerprint *f, struct spelling *s, const void *from, uint64_t words);

static inline void spelling_mix(struct fingerprint *f, struct spelling *s, uint64_t word)
{
    fingerprint_mix(f, s ? spelling_of(s, word) : word);
}

#endif
