#include "target/threads/engine/spelling.h"

#include "target/threads/engine/ignored.h"
#include "target/threads/memory/memory_room.h"

// Above a thread pointer stands what the C library keeps of a thread.
enum { ABOVE_POINTER = 4096 };

uint32_t spelling_owner_elsewhere(uint64_t address, uint64_t *offset)
{
    uint64_t records = (uint64_t)(uintptr_t)engine.threads, size;
    if (address - records < sizeof engine.threads) {
        *offset = (address - records) % sizeof *engine.threads | 3ull << 40;
        uint32_t actor = (uint32_t)((address - records) / sizeof *engine.threads);
        return actor ? actor : OWNER_NONE;
    }
    for (uint32_t actor = 1; engine.swap_tls && actor < engine.exec.known; actor++) {
        const struct thread *t = &engine.threads[actor];
        if (engine.exec.actors[actor].state == ACTOR_ABSENT || !t->thread_pointer)
            continue;
        uint64_t block = (uint64_t)(uintptr_t)tls_block(t->thread_pointer, &size);
        if (address - block >= size + ABOVE_POINTER)
            continue;
        *offset = (address - block) | 4ull << 40;
        return actor;
    }
    return OWNER_NONE;
}

uint64_t spelling_of_argument(struct spelling *s, uint64_t word)
{
    if (s->self && arguments_owner(word) == s->self)
        return 0xa11ce00000000000u | 6ull << 40 | (word - argument_array.base) % argument_array.stride;
    if (s->stack)
        s->named = true;
    else
        s->named_openly = true;
    return word;
}

void spelling_mix_words(struct fingerprint *f, struct spelling *s, const void *from, uint64_t words)
{
    if (!s) {
        ignored_mix_words(f, from, words);
        return;
    }
    const uint64_t *word = from;
    for (uint64_t i = 0; i < words; i++)
        fingerprint_mix(f, spelling_of(s, word[i] & ignored_mask((uint64_t)(uintptr_t)(word + i))));
}
